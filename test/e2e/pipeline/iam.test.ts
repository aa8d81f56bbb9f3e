import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Asked,
  comparePermissions,
  isLoose,
  type Permission,
  permissionText,
} from '../../helpers/iam-permissions.ts';
import type { Child } from '../../testbed/child.ts';
import { bootstrap, deployApp } from '../../testbed/deploy.ts';
import type { RecordedCall } from '../../testbed/emulator-control.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { startRelay } from '../../testbed/relay.ts';
import { startTestbed, type Testbed } from '../../testbed/testbed.ts';
import {
  asOtherAccount,
  driveOutrider,
  otherAccount,
  planted,
  prepareClusters,
} from './drive-outrider.ts';
import { expected } from './expected-permissions.ts';
import { callsOf, rolesOf } from './granted.ts';
import { deployClusterAccount, takeOnRelayRole } from './other-roles.ts';
import { itemsOf, leaks, logsOf, messagesOf, objectsOf } from './planted.ts';
import '../../helpers/own-temporary-folder.ts';

/*
 * Policies against calls: the run makes Outrider do everything that it can do, here and in another account, beside
 * a relay. Then each permission (action, resource, condition) must have been used and no call refused. What it
 * must never write is planted beforehand.
 */

/** A group is a person's business after three failures in a row; these come within seconds. */
const scaling = 'scaling: { backOff: { initial: 1s, max: 1s, reset: 1h } }';
const configuration = `networks:
  - name: main
clusters:
  - { name: demo, network: main, mode: act, ${scaling} }
  - name: far
    network: main
    mode: act
    account: { roleArn: "arn:aws:iam::${otherAccount}:role/outrider-cluster", externalId: agreed-42 }
    ${scaling}
`;

describe.skipIf(await withoutTestbed())('the deployed roles', () => {
  let testbed: Testbed;
  let relay: Child | undefined;
  let outputs: Readonly<Record<string, string>>;
  let calls: readonly RecordedCall[];
  let roles: ReadonlyMap<string, readonly Permission[]>;

  beforeAll(async () => {
    testbed = await startTestbed();
    const { emulator } = testbed;
    const others = asOtherAccount(emulator);
    const lines: string[] = [];
    const progress = (line: string): void => void lines.push(line);
    try {
      await prepareClusters(testbed);
      await bootstrap(emulator, progress);
      outputs = await deployApp({ emulator, configuration, progress });
    } catch (error) {
      throw new Error(`not deployed:\n${lines.slice(-40).join('\n')}`, { cause: error });
    }
    await deployClusterAccount(others, configuration, (outputs.FunctionRoleArns ?? '').split(','));
    const bus = outputs.EventBusName ?? '';
    const busArn = `arn:aws:events:us-east-1:000000000000:event-bus/${bus}`;
    const credentials = await takeOnRelayRole({ emulator, configuration, cluster: 'demo', busArn });
    relay = await startRelay(testbed, { cluster: 'demo', network: 'main', bus, credentials });
    await driveOutrider(testbed, outputs).catch(async (cause) => {
      const logs = [...(await logsOf(emulator))].map(
        ([name, text]) => `${name}\n${text.slice(-6000)}`,
      );
      throw new Error(`not driven to the end:\n${logs.join('\n')}`, { cause });
    });
    calls = await emulator.control.calls();
    roles = new Map([...(await rolesOf(emulator)), ...(await rolesOf(others))]);
  });

  afterAll(async () => {
    await relay?.stop();
    await testbed?.stop();
  });

  const roleAt = (place: string): readonly Permission[] => {
    const found = [...roles].filter(([name]) => name.includes(place));
    if (found.length !== 1) throw new Error(`${found.length} roles have ${place} in their names`);
    return found[0]?.[1] ?? [];
  };
  const askedBy = (place: string): readonly Asked[] =>
    callsOf(calls, place).flatMap(({ judged }) => judged);

  it('are these and no other', () => {
    const strangers = [...roles.keys()].filter(
      (name) => !expected.some(({ place }) => name.includes(place)),
    );
    expect(strangers).toEqual([]);
    expect(roles.size).toBe(expected.length);
  });

  it.each(expected.filter(({ place }) => place !== 'LaunchUnsuccessful'))(
    '$place was refused nothing',
    ({ place }) => {
      const own = callsOf(calls, place);
      expect(own.length).toBeGreaterThan(2);
      const refused = own.filter(({ status, fault }) => status === 403 && fault === undefined);
      expect(refused).toEqual([]);
    },
  );

  it.each(expected)(
    '$place has no permission, for action, resource and condition, that was not used',
    ({ place, notSeen }) => {
      const { missing, unused, unusedValues } = comparePermissions(roleAt(place), askedBy(place));
      expect(missing).toEqual([]);
      const idle = [...unused, ...unusedValues];
      expect(idle.filter((line) => !notSeen.some(([form]) => form.test(line)))).toEqual([]);
      // A reason that excuses nothing is too much as well.
      expect(notSeen.filter(([form]) => !idle.some((line) => form.test(line)))).toEqual([]);
    },
  );

  it.each(expected)(
    '$place has no wildcard and no condition but those written down',
    ({ place, loose }) => {
      const found = [...new Set(roleAt(place).filter(isLoose).map(permissionText))];
      expect(found.filter((line) => !loose.some((form) => form.test(line)))).toEqual([]);
      expect(loose.filter((form) => !found.some((line) => form.test(line)))).toEqual([]);
    },
  );

  it('write no secret into decisions, the table, queues, logs or calls', async () => {
    const { emulator } = testbed;
    const secrets = new SecretsManagerClient(emulator.clientConfig);
    const { SecretString = '' } = await secrets.send(
      new GetSecretValueCommand({ SecretId: 'outrider/demo' }),
    );
    secrets.destroy();
    const { token } = JSON.parse(SecretString) as { readonly token: string };
    expect(token.length).toBeGreaterThan(100);
    const queues = Object.entries(outputs).flatMap(([name, url]) =>
      name.endsWith('QueueUrl') ? [url] : [],
    );
    expect(queues.length).toBeGreaterThanOrEqual(4);
    const written = await Promise.all([
      objectsOf(emulator, outputs.DecisionsBucketName ?? ''),
      itemsOf(emulator, outputs.TableName ?? ''),
      messagesOf(emulator, queues),
      logsOf(emulator),
    ]);
    for (const found of written) expect(found.size).toBeGreaterThan(0);
    // A check that reads nothing must fail: each function has logged.
    const logs = [...(written[3] ?? [])].filter(([place]) => place.includes('Outrider'));
    expect(logs.length).toBeGreaterThanOrEqual(2);
    expect(logs.filter(([, text]) => text === '').map(([place]) => place)).toEqual([]);
    // Something is in them at all, so that it would be found.
    const all = new Map(written.flatMap((found) => [...found]));
    expect(leaks(all, { 'the planted pod': 'planted-pod' }).length).toBeGreaterThan(0);
    const parameters = new Map(
      calls
        .filter(({ principal }) => /role\/Outrider/.test(principal))
        .map((call, index) => [`call ${index} ${call.action}`, call.parameters ?? '']),
    );
    // A recognisable part, since a token may be cut.
    const secretParts = { token: token.slice(-60), ...planted };
    expect(leaks(new Map([...all, ...parameters]), secretParts)).toEqual([]);
  });
});
