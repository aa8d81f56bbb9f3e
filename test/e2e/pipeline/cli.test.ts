import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DisableRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
} from '@aws-sdk/client-eventbridge';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbClusterLeases } from '#adapters/aws/dynamodb-cluster-leases.ts';
import type { DoctorReport } from '#operations/doctor/doctor.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { clusterView } from './cluster-view.ts';
import { type CommandRun, describeDeadLetterCommands } from './dead-letter-commands.ts';
import { type DeployedOutrider, deployOutrider } from './deployed-outrider.ts';
import '../../helpers/own-temporary-folder.ts';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));

describe.skipIf(await withoutTestbed())('commands of a deployment', () => {
  let outrider: DeployedOutrider;
  let config: DeployedOutrider['testbed']['emulator']['clientConfig'];
  let sqs: SQSClient;
  let cluster: ReturnType<typeof clusterView>;
  const folder = mkdtempSync(join(tmpdir(), 'outrider-cli-'));

  beforeAll(async () => {
    outrider = await deployOutrider();
    config = outrider.testbed.emulator.clientConfig;
    sqs = new SQSClient(config);
    cluster = clusterView(outrider.testbed.controlPlane);
    // The commands are to be the only ones that look.
    const events = new EventBridgeClient(config);
    const { Rules = [] } = await events.send(new ListRulesCommand({}));
    for (const { Name, ScheduleExpression } of Rules) {
      if (ScheduleExpression !== undefined) await events.send(new DisableRuleCommand({ Name }));
    }
    events.destroy();
  });

  afterAll(async () => {
    sqs?.destroy();
    await outrider?.stop();
  });

  // Not the synchronous form: the machines of the test bed live in this process.
  const command = (...args: readonly string[]): Promise<CommandRun> =>
    new Promise((done) => {
      const options = { env: { ...outrider.testbed.emulator.env, NO_COLOR: '1' } };
      execFile(process.execPath, [main, ...args], options, (error, out, err) => {
        done({
          exit: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
          out,
          err,
        });
      });
    });

  const json = async <T>(...args: readonly string[]): Promise<T> => {
    const { exit, out, err } = await command(...args, '--json');
    expect({ exit, err }).toMatchObject({ exit: 0 });
    return JSON.parse(out) as T;
  };

  it('doctor finds nothing broken, and warns of what could not be asked', async () => {
    const { exit, out } = await command('doctor', '--json');
    const report = JSON.parse(out) as DoctorReport;
    expect(report.checks.filter(({ result }) => result === 'fail')).toEqual([]);
    expect(exit).toBe(0);
    const result = (check: string, subject: string): string | undefined =>
      report.checks.find((one) => one.check === check && one.subject === subject)?.result;
    for (const name of ['demo', 'watched']) {
      for (const check of [
        'secret',
        'apiServer',
        'rights',
        'excessRights',
        'otherScaler',
        'groups',
      ]) {
        expect([check, result(check, `cluster ${name}`)]).toEqual([check, 'ok']);
      }
      expect(result('quota', `cluster ${name}`)).toBe('warn');
    }
    expect(result('stack', 'stack Outrider')).toBe('ok');
    expect(result('function', 'network main')).toBe('ok');
    expect(result('blocked', 'group broken')).toBe('warn');
  });

  it('doctor tells people the same in 80 columns', async () => {
    const { exit, out } = await command('doctor', '--cluster', 'demo');
    expect(exit).toBe(0);
    expect(out).toMatch(/ok, \d+ to look at, 0 broken/);
    expect(out).not.toContain('cluster watched');
    // An ARN that is longer than a line has one to itself.
    const wide = out.split('\n').filter((line) => line.length > 80);
    expect(wide.filter((line) => !/^ *\S+( \\)?$/.test(line))).toEqual([]);
  });

  it('a plan of a snapshot is the decision that a look takes, and holds no secret', async () => {
    const planted = 'planted-hunter2';
    await outrider.testbed.controlPlane.admin.create('/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': planted },
      },
      spec: {
        nodeSelector: { pool: 'workers-a' },
        containers: [
          {
            name: 'main',
            image: 'none',
            args: [planted],
            env: [{ name: 'PASSWORD', value: planted }],
            resources: { requests: { cpu: '900m', memory: '256Mi' } },
          },
        ],
      },
    });
    await cluster.unschedulable('web');
    const out = join(folder, 'demo');
    await json('snapshot', '--cluster', 'demo', '--out', out);
    const text = readdirSync(out).map((file) => readFileSync(join(out, file), 'utf8'));
    expect(text.length).toBeGreaterThan(6);
    expect(text.join('')).not.toContain(planted);

    const plan = await json<Record<string, unknown>>('plan', '--snapshot', out);
    const look = await json<{ readonly decision: { readonly decision: Record<string, unknown> } }>(
      'scale-up',
      ...['--cluster', 'demo'],
    );
    expect(plan.scaleUps).toMatchObject([{ group: 'workers-a', from: 0, to: 1 }]);
    for (const part of ['scaleUps', 'fits', 'stuck', 'ignored', 'blockedGroups']) {
      expect(plan[part]).toEqual(look.decision.decision[part]);
    }
    const again = await command('snapshot', '--cluster', 'demo', '--out', out);
    expect([again.exit, again.out]).toEqual([2, '']);
    expect(again.err).toContain('is there already');
  });

  it('status, journal and replay tell of that look', async () => {
    const status = await json<Record<string, unknown>>('status', '--cluster', 'demo');
    expect(status).toMatchObject({
      cluster: 'demo',
      mode: 'act',
      unreachable: [],
      decisions: [{ id: 'demo/scale-up/1', trigger: 'cli', mode: 'act' }],
    });
    const all = await json<{ readonly clusters: readonly unknown[] }>('status');
    expect(all.clusters).toMatchObject([{ cluster: 'demo' }, { cluster: 'watched' }]);
    expect(await json('journal', '--cluster', 'demo')).toMatchObject([{ id: 'demo/scale-up/1' }]);
    const { out } = await command('journal', 'demo/scale-up/1');
    expect(out).toContain('workers-a 0 -> 1');
    const replayed = await command('replay', 'demo/scale-up/1');
    expect(replayed.out).toContain('the same decision, byte for byte');
  });

  it('a look that finds the lease held leaves a mark and says who will look', async () => {
    const leases = dynamodbClusterLeases(new DynamoDBClient(config), outrider.table);
    const request = { cluster: 'watched', owner: 'somebody', nowMs: Date.now(), ttlMs: 60_000 };
    const lease = await leases.acquire(request);
    if (lease === undefined) throw new Error('nobody else looks at watched');
    const { exit, out } = await command('scale-up', '--cluster', 'watched');
    expect(exit).toBe(0);
    expect(out).toMatch(/somebody else looks at it now and will look again/);
    expect((await leases.read('watched'))?.marks).toBe(1);
    await leases.abandon(lease);
  });

  describeDeadLetterCommands(() => ({ outrider, sqs, command, json }));

  it('doctor exits 1 where a secret is broken, and says what to do', async () => {
    const secrets = new SecretsManagerClient(config);
    const broken = { SecretId: 'outrider/watched', SecretString: '{"server":"http://x"}' };
    await secrets.send(new PutSecretValueCommand(broken));
    secrets.destroy();
    const { exit, out } = await command('doctor', '--cluster', 'watched', '--json');
    expect(exit).toBe(1);
    const failures = (JSON.parse(out) as DoctorReport).checks.filter(
      (one) => one.result === 'fail',
    );
    expect(failures).toMatchObject([
      {
        check: 'secret',
        subject: 'cluster watched',
        remedy: expect.stringContaining('outrider/watched'),
      },
    ]);
    const status = await json<Record<string, unknown>>('status', '--cluster', 'watched');
    expect(status.unreachable).toMatchObject([{ what: 'API server', code: 'invalid' }]);
  });
});
