import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DisableRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
} from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbCapacityLedger } from '#adapters/aws/dynamodb-capacity-ledger.ts';
import { dynamodbClusterLeases } from '#adapters/aws/dynamodb-cluster-leases.ts';
import { dynamodbJournal } from '#adapters/aws/dynamodb-journal.ts';
import { podPendingDetailType, podPendingSourcePrefix } from '#events/pod-pending.ts';
import { registerCluster } from '../../testbed/demonstration.ts';
import { bootstrap, deployApp } from '../../testbed/deploy.ts';
import { eventually } from '../../testbed/eventually.ts';
import { functionProcesses } from '../../testbed/function-processes.ts';
import type { KubeList, KubeObject } from '../../testbed/kube-client.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import { startTestbed, type Testbed } from '../../testbed/testbed.ts';
import { clusterView } from './cluster-view.ts';
import '../../helpers/own-temporary-folder.ts';

/** Long enough to find the process and kill it; the caller would wait for eight seconds. */
const delayMs = 6_000;

/** One cluster for each moment at which its look dies: three at once, since a lease takes a minute to run out. */
const clusters = [
  {
    name: 'raised',
    about: 'once its raise took effect and before it was answered',
    fault: { service: 'autoscaling', action: 'SetDesiredCapacity', resource: 'raised-workers' },
  },
  {
    name: 'raising',
    about: 'before its raise took effect',
    fault: {
      service: 'autoscaling',
      action: 'SetDesiredCapacity',
      resource: 'raising-workers',
      // Nobody lives to see it.
      code: 'InternalFailure',
    },
  },
  {
    name: 'recording',
    about: 'while it records its decision',
    fault: { service: 's3', action: 'PutObject', resource: 'decisions/recording/' },
  },
] as const;

const configuration = `networks:
  - name: main
clusters:
${clusters.map(({ name }) => `  - { name: ${name}, network: main, mode: act }\n`).join('')}`;

interface Deployed {
  readonly testbed: Testbed;
  readonly output: (name: string) => string;
}

const deploy = async (): Promise<Deployed> => {
  // Nodes that take long: pods still wait, and hear of their raise, when the look is taken again.
  const testbed = await startTestbed({ fleet: { bootMs: 1_000_000 } });
  const { emulator } = testbed;
  try {
    for (const { name } of clusters) {
      await registerCluster(testbed, `outrider/${name}`);
      await makeNodeGroup(emulator, {
        name: `${name}-workers`,
        cluster: name,
        instanceType: 'm5.large',
        max: 5,
        tags: { 'k8s.io/cluster-autoscaler/node-template/label/pool': name },
      });
    }
    const progress = (): void => {};
    await bootstrap(emulator, progress);
    const outputs = await deployApp({ emulator, configuration, progress });
    const output = (name: string): string => {
      const found = Object.entries(outputs).find(([key]) => key.replaceAll('-', '') === name);
      if (found === undefined) throw new Error(`no output ${name} among ${Object.keys(outputs)}`);
      return found[1];
    };
    return { testbed, output };
  } catch (error) {
    await testbed.stop();
    throw error;
  }
};

const noProcesses = process.platform !== 'linux';

describe.skipIf(noProcesses || (await withoutTestbed()))('a function that is killed', () => {
  let deployed: Deployed;
  let sqs: SQSClient;
  let dynamodb: DynamoDBClient;
  let s3: S3Client;

  beforeAll(async () => {
    deployed = await deploy();
    const { clientConfig: config } = deployed.testbed.emulator;
    sqs = new SQSClient(config);
    dynamodb = new DynamoDBClient(config);
    s3 = new S3Client({ ...config, forcePathStyle: true });
    // What follows must be the redelivered messages' doing.
    const events = new EventBridgeClient(config);
    const { Rules = [] } = await events.send(new ListRulesCommand({}));
    for (const { Name, ScheduleExpression } of Rules) {
      if (ScheduleExpression !== undefined) await events.send(new DisableRuleCommand({ Name }));
    }
    events.destroy();
    await sqs.send(
      new SetQueueAttributesCommand({
        QueueUrl: deployed.output('NetworkmainQueueUrl'),
        Attributes: { VisibilityTimeout: '12' },
      }),
    );
    await killInTheMiddle();
  });

  afterAll(async () => {
    for (const client of [sqs, dynamodb, s3]) client?.destroy();
    await deployed?.testbed.stop();
  });

  const killInTheMiddle = async (): Promise<void> => {
    const { testbed, output } = deployed;
    const { control, pid } = testbed.emulator;
    const view = clusterView(testbed.controlPlane);
    for (const { name } of clusters) {
      await view.createPod({ name: `${name}-pod`, pool: name, cpu: '1' });
    }
    const pods = await Promise.all(
      clusters.map(async ({ name }) => {
        await view.unschedulable(`${name}-pod`);
        const [pod] = await view.pods(`${name}-pod`);
        return { cluster: name, uid: pod?.metadata.uid };
      }),
    );
    for (const { fault } of clusters) await control.inject({ ...fault, delayMs });
    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: output('NetworkmainQueueUrl'),
        Entries: pods.map(({ cluster, uid }) => ({
          Id: cluster,
          MessageBody: JSON.stringify({
            source: `${podPendingSourcePrefix}${cluster}`,
            'detail-type': podPendingDetailType,
            detail: {
              cluster,
              network: 'main',
              pods: [{ namespace: 'default', name: `${cluster}-pod`, uid }],
            },
          }),
        })),
      }),
    );
    await eventually('all three looks to wait for an answer', async () =>
      (await control.faults()).length === 0 ? true : undefined,
    );
    const victims = functionProcesses(pid, output('NetworkmainFunctionName'));
    expect(victims).not.toEqual([]);
    for (const victim of victims) process.kill(victim, 'SIGKILL');
  };

  const raisesOf = async (group: string) =>
    (await deployed.testbed.emulator.control.calls({ action: 'SetDesiredCapacity' })).filter(
      ({ parameters, status }) =>
        status === 200 &&
        new URLSearchParams(parameters ?? '').get('AutoScalingGroupName') === group,
    );

  describe.each(clusters)('$about', ({ name }) => {
    it('has its look taken again from the message that came back, and ends it', async () => {
      const leases = dynamodbClusterLeases(dynamodb, deployed.output('TableName'));
      const journal = journalOf();
      const ended = await eventually(`the end of the look at ${name}`, async () => {
        const [lease, decisions] = [await leases.read(name), await journal.list(name, 10)];
        const free = lease !== undefined && lease.holder === undefined;
        return free && decisions.length > 0 ? { lease, decisions } : undefined;
      });
      expect(ended.lease.marks).toBe(0);
      const records = await Promise.all(ended.decisions.map(({ id }) => journal.read(id)));
      expect(records.flatMap(({ decision }) => decision.scaleUps)).toMatchObject([
        { group: `${name}-workers`, from: 0, to: 1, pods: [`default/${name}-pod`] },
      ]);
    });

    it('raises once', async () => {
      expect(await raisesOf(`${name}-workers`)).toHaveLength(1);
    });

    it('leaves no intent open', async () => {
      const ledger = dynamodbCapacityLedger(dynamodb, deployed.output('TableName'));
      const entries = await ledger.read(name);
      expect(entries).toHaveLength(1);
      expect(entries.filter(({ intent }) => intent !== undefined)).toEqual([]);
    });

    it('tells the pod, once', async () => {
      const { admin } = deployed.testbed.controlPlane;
      const path = `/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.name%3D${name}-pod`;
      const { items } = await admin.get<KubeList<PodEvent>>(path);
      const told = items.filter(({ note }) => note.includes(`${name}-workers`) && isGood(note));
      expect(told).toHaveLength(1);
    });
  });

  const journalOf = () =>
    dynamodbJournal({
      dynamodb,
      table: deployed.output('TableName'),
      s3,
      bucket: deployed.output('DecisionsBucketName'),
    });
});

type PodEvent = KubeObject & { readonly note: string };

/** Raised for it, or on its way for it since the look before; the other clusters say that they have nothing. */
const isGood = (note: string): boolean => /^(Raised|A node of) /.test(note);
