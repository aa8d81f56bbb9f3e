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
  places,
  planted,
  prepareClusters,
} from './drive-outrider.ts';
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

const byLambda =
  'Lambda itself does it with the function’s role; the emulator writes its logs inside.';
const byPoller =
  'Lambda’s poller does it with the function’s role; the emulator’s reads the queue inside.';
const bySns = 'SNS asks the key for it on behalf of whoever publishes; the emulator does not.';
const byEventBridge =
  'EventBridge puts it with this role; the emulator’s rules end in one account.';
const byRequirements =
  'It is asked for groups whose types are chosen by attributes; the run has none.';
const byExporter = 'An event exporter sends it under the same grant; only a relay runs here.';

/** What a role may do and a run on the test bed cannot use, each with the reason. Any other that is unused is too much. */
interface Expected {
  /** Part of the role's name. */
  readonly place: string;
  readonly notSeen: readonly (readonly [RegExp, string])[];
  /** Every permission that is no plain action on one named resource, as it reads. */
  readonly loose: readonly RegExp[];
}

const lambda: Expected['notSeen'] = [
  [/^logs:CreateLogStream on arn:aws:logs:\S+:log-group:\S+/, byLambda],
  [/^logs:PutLogEvents on arn:aws:logs:\S+:log-group:\S+/, byLambda],
  [/^sqs:ReceiveMessage on \S+Queue\S+$/, byPoller],
  [/^sqs:DeleteMessage on \S+Queue\S+$/, byPoller],
  [/^sqs:GetQueueAttributes on \S+Queue\S+$/, byPoller],
];

const ofRequirements: Expected['notSeen'] = [
  [/^ec2:DescribeImages on \*$/, byRequirements],
  [/^ec2:GetInstanceTypesFromInstanceRequirements on \*$/, byRequirements],
];

/** None of these has resources that a policy could name. */
const readsOf = (...actions: readonly string[]): readonly RegExp[] =>
  actions.map((action) => new RegExp(`^${action} on \\*$`));
const nodeGroupReads = readsOf(
  'autoscaling:DescribeAutoScalingGroups',
  'autoscaling:DescribeAutoScalingInstances',
  'autoscaling:DescribeScalingActivities',
  'ec2:DescribeImages',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeLaunchTemplateVersions',
  'ec2:GetInstanceTypesFromInstanceRequirements',
);
/** Groups are found by tag while running, so that the tags are the condition. */
const raisesOf = (account: string, cluster: string): RegExp => {
  const tag = 'Null autoscaling:ResourceTag/k8s.io/cluster-autoscaler';
  return new RegExp(
    `^autoscaling:SetDesiredCapacity on arn:aws:autoscaling:us-east-1:${account}:autoScalingGroup:\\*:autoScalingGroupName/\\* if ${tag}/enabled = false and ${tag}/${cluster} = false$`,
  );
};
const putsOf = (source: string, detailTypes: string): RegExp =>
  new RegExp(
    `^events:PutEvents on arn:aws:events:us-east-1:000000000000:event-bus/outrider if ForAllValues:StringEquals events:source = ${source} and ForAllValues:StringEquals events:detail-type = ${detailTypes} and Null events:source = false and Null events:detail-type = false$`,
  );

const expected: readonly Expected[] = [
  {
    place: places.scaleUp,
    notSeen: [
      ...lambda,
      ...ofRequirements,
      [/^kms:GenerateDataKey on arn:aws:kms:\S+/, bySns],
      [/^kms:Decrypt on arn:aws:kms:\S+/, bySns],
    ],
    loose: [
      ...nodeGroupReads,
      raisesOf('000000000000', 'demo'),
      /^s3:PutObject on arn:aws:s3:::\S+\/decisions\/\*$/,
      // Secrets Manager ends each ARN with six characters of its own.
      /^secretsmanager:GetSecretValue on \S+:secret:outrider\/demo-\?{6}$/,
      /^secretsmanager:GetSecretValue on \S+:secret:outrider\/far-\?{6}$/,
      /^logs:CreateLogStream on \S+:\*$/,
      /^logs:PutLogEvents on \S+:\*$/,
    ],
  },
  {
    place: places.forward,
    notSeen: lambda,
    loose: [
      ...readsOf('autoscaling:DescribeAutoScalingGroups'),
      putsOf('outrider.forwarded', 'Launch Failed'),
      /^logs:CreateLogStream on \S+:\*$/,
      /^logs:PutLogEvents on \S+:\*$/,
    ],
  },
  {
    place: places.otherAccount,
    notSeen: ofRequirements,
    loose: [...nodeGroupReads, raisesOf(otherAccount, 'far')],
  },
  {
    place: 'LaunchUnsuccessful',
    notSeen: [
      [
        /^events:PutEvents on arn:aws:events:us-east-1:000000000000:event-bus\/default$/,
        byEventBridge,
      ],
    ],
    loose: [],
  },
  {
    place: places.relay,
    notSeen: [[/^events:PutEvents: events:detail-type = Kubernetes Event$/, byExporter]],
    loose: [
      putsOf('outrider.cluster.demo', 'Pod Pending\\|Node Signal\\|Heartbeat\\|Kubernetes Event'),
    ],
  },
];

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
