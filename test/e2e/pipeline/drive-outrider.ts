import { AutoScalingClient, DeleteAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clusterSourceOf } from '#events/cluster-source.ts';
import { heartbeatDetailType } from '#events/heartbeat.ts';
import {
  instanceLaunchUnsuccessfulDetailType,
  instanceLaunchUnsuccessfulSource,
} from '#events/launch-failed.ts';
import { nodeSignalDetailType } from '#events/node-signal.ts';
import { podPendingDetailType } from '#events/pod-pending.ts';
import { sweepDetailType, sweepSource } from '#events/sweep.ts';
import type { AwsEmulator } from '../../testbed/aws-emulator.ts';
import { registerCluster } from '../../testbed/demonstration.ts';
import { eventually } from '../../testbed/eventually.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import type { Testbed } from '../../testbed/testbed.ts';
import { clusterView } from './cluster-view.ts';
import { actionsOfCall, callsOf } from './granted.ts';

/** Roles by what their names contain. */
export const places = {
  scaleUp: 'NetworkmainRole',
  forward: 'ForwardEventsRole',
  otherAccount: 'outrider-cluster',
  relay: 'outrider-relay',
} as const;

export const otherAccount = '111111111111';

/** What must never be written anywhere, and stands in a pod's object. */
export const planted = {
  'environment value': 'planted-environment-7f3a',
  argument: 'planted-argument-7f3a',
  annotation: 'planted-annotation-7f3a',
};

/** The emulator as the owner of the other account sees it. */
export const asOtherAccount = (emulator: AwsEmulator): AwsEmulator => ({
  ...emulator,
  clientConfig: {
    ...emulator.clientConfig,
    credentials: { accessKeyId: otherAccount, secretAccessKey: 'test' },
  },
});

/** Secrets of two clusters on one API server, and groups: two of `demo`, two of `far` in the other account. */
export const prepareClusters = async (testbed: Testbed): Promise<void> => {
  await registerCluster(testbed, 'outrider/demo');
  await registerCluster(testbed, 'outrider/far');
  const others = asOtherAccount(testbed.emulator);
  for (const [emulator, cluster, name] of [
    [testbed.emulator, 'demo', 'workers'],
    [testbed.emulator, 'demo', 'failing'],
    [others, 'far', 'far-workers'],
    [others, 'far', 'far-failing'],
  ] as const) {
    await makeNodeGroup(emulator, {
      name,
      cluster,
      instanceType: 'm5.large',
      max: 5,
      tags: { 'k8s.io/cluster-autoscaler/node-template/label/pool': name },
    });
  }
};

/** Makes Outrider do each thing that it can do here. */
export const driveOutrider = async (
  { emulator, controlPlane }: Testbed,
  outputs: Readonly<Record<string, string>>,
): Promise<void> => {
  const cluster = clusterView(controlPlane);
  const bus = new EventBridgeClient(emulator.clientConfig);
  const sqs = new SQSClient(emulator.clientConfig);
  const hint = () =>
    bus.send(
      new PutEventsCommand({
        Entries: ['demo', 'far'].map((cluster) => ({
          EventBusName: outputs.EventBusName,
          Source: clusterSourceOf(cluster),
          DetailType: podPendingDetailType,
          Detail: JSON.stringify({ cluster, network: 'main', pods: [] }),
        })),
      }),
    );
  const send = (queue: string | undefined, body: unknown) =>
    sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: JSON.stringify(body) }));
  /** Sends hints until a role has made such a call. */
  const until = (place: string, action: string, sinceMs = 0) =>
    eventually(`${action} of ${place}`, async () => {
      const made = callsOf(await emulator.control.calls({ sinceMs }), place);
      if (made.some((call) => actionsOfCall(call).includes(action))) return true;
      await hint();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return undefined;
    });

  // A look that raises.
  await controlPlane.admin.create('/api/v1/namespaces/default/pods', plantedPod);
  await cluster.unschedulable('planted-pod');
  await until(places.scaleUp, 'autoscaling:SetDesiredCapacity');
  await cluster.running('planted-pod', 1);

  // Launches that fail, until somebody is woken: AWS's own event goes by forward-events.
  await emulator.control.inject({
    service: 'autoscaling',
    action: 'Launch',
    code: 'InsufficientInstanceCapacity',
    times: 1000,
    group: 'failing',
  });
  await cluster.createPod({ name: 'unlucky', pool: 'failing', cpu: '1' });
  await cluster.unschedulable('unlucky');
  await until(places.forward, 'events:PutEvents');
  await until(places.scaleUp, 'sns:Publish');
  await cluster.removePod('unlucky');
  await emulator.control.clearFaults();

  // A Node that claims an instance of nobody's.
  await controlPlane.admin.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'stranger' },
    spec: { providerID: 'aws:///us-east-1a/i-0fedcba9876543210' },
  });
  await until(places.scaleUp, 'autoscaling:DescribeAutoScalingInstances');
  await controlPlane.admin.remove('/api/v1/nodes/stranger');
  // A relay tells of a pod, of the node that went, and that it is alive.
  for (const detailType of [podPendingDetailType, nodeSignalDetailType, heartbeatDetailType]) {
    await eventually(`${detailType} of the relay`, async () =>
      callsOf(await emulator.control.calls(), places.relay).some(({ judged }) =>
        judged.some(({ context }) => context['events:detail-type']?.includes(detailType)),
      )
        ? true
        : undefined,
    );
  }

  // The same in another account: raised, asked after, and its own failed launch forwarded.
  await cluster.createPod({ name: 'distant', pool: 'far-workers', cpu: '1' });
  await cluster.unschedulable('distant');
  await until(places.otherAccount, 'autoscaling:SetDesiredCapacity');
  await cluster.removePod('distant');
  await emulator.control.inject({
    service: 'autoscaling',
    action: 'Launch',
    code: 'InsufficientInstanceCapacity',
    times: 1000,
    group: 'far-failing',
  });
  await cluster.createPod({ name: 'hapless', pool: 'far-failing', cpu: '1' });
  await cluster.unschedulable('hapless');
  await until(places.otherAccount, 'autoscaling:DescribeScalingActivities');
  await until(places.otherAccount, 'autoscaling:DescribeAutoScalingInstances');
  await send(outputs.ForwardQueueUrl, {
    source: instanceLaunchUnsuccessfulSource,
    'detail-type': instanceLaunchUnsuccessfulDetailType,
    account: otherAccount,
    region: emulator.clientConfig.region,
    detail: { AutoScalingGroupName: 'far-failing' },
  });
  await until(places.forward, 'sts:AssumeRole');
  await cluster.removePod('hapless');
  await emulator.control.clearFaults();

  // A sweep, and messages that nothing can be done with.
  const network = outputs.NetworkmainQueueUrl;
  await send(network, {
    source: sweepSource,
    'detail-type': sweepDetailType,
    detail: { network: 'main' },
  });
  await send(network, { broken: planted['environment value'].slice(0, 7) });
  await send(outputs.ForwardQueueUrl, { broken: true });
  await until(places.forward, 'sqs:SendMessage');
  await until(places.scaleUp, 'sqs:SendMessage');

  // A hint that meets a passing fault goes back.
  const sinceMs = Date.now();
  await emulator.control.inject({
    service: 'autoscaling',
    action: 'DescribeAutoScalingGroups',
    code: 'InternalFailure',
    times: 50,
  });
  await until(places.scaleUp, 'sqs:ChangeMessageVisibility', sinceMs);
  await emulator.control.clearFaults();

  // A group that goes takes its ledger entry with it.
  const autoScaling = new AutoScalingClient(emulator.clientConfig);
  await autoScaling.send(
    new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: 'failing', ForceDelete: true }),
  );
  autoScaling.destroy();
  await until(places.scaleUp, 'dynamodb:DeleteItem');
  bus.destroy();
  sqs.destroy();
};

const plantedPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'planted-pod',
    labels: { app: 'planted-pod' },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
        env: planted.annotation,
      }),
    },
  },
  spec: {
    nodeSelector: { pool: 'workers' },
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'main',
        image: 'none',
        args: ['--password', planted.argument],
        env: [{ name: 'PASSWORD', value: planted['environment value'] }],
        resources: { requests: { cpu: '1', memory: '256Mi' } },
      },
    ],
  },
};
