import {
  AutoScalingClient,
  SetDesiredCapacityCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../testbed/eventually.ts';
import { KubeError, type KubeList, type KubeObject } from '../../testbed/kube-client.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import { startTestbed, type Testbed } from '../../testbed/testbed.ts';
import '../../helpers/own-temporary-folder.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}
type Pod = KubeObject & {
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly Condition[];
  };
};
type Node = KubeObject & {
  readonly spec: { readonly providerID: string; readonly taints?: readonly unknown[] };
  readonly status: {
    readonly capacity: Readonly<Record<string, string>>;
    readonly allocatable: Readonly<Record<string, string>>;
    readonly conditions: readonly Condition[];
  };
};

const pods = '/api/v1/namespaces/default/pods';

const podNamed = (name: string, cpu: string): unknown => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    nodeSelector: { team: 'blue' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    containers: [{ name: 'main', image: 'none', resources: { requests: { cpu } } }],
  },
});

describe.skipIf(await withoutTestbed())('the test bed’s cluster', () => {
  let testbed: Testbed;
  let autoScaling: AutoScalingClient;

  beforeAll(async () => {
    testbed = await startTestbed();
    autoScaling = new AutoScalingClient(testbed.emulator.clientConfig);
    await makeNodeGroup(testbed.emulator, {
      name: 'blue',
      cluster: 'test',
      instanceType: 'm5.large',
      max: 3,
      tags: {
        'k8s.io/cluster-autoscaler/node-template/label/team': 'blue',
        'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'blue:NoSchedule',
        'k8s.io/cluster-autoscaler/node-template/resources/example.com/fpga': '2',
      },
    });
  });
  afterAll(async () => {
    autoScaling?.destroy();
    await testbed?.stop();
  });

  const getPod = (name: string): Promise<Pod> => testbed.controlPlane.admin.get(`${pods}/${name}`);
  const listNodes = async (): Promise<readonly Node[]> =>
    (await testbed.controlPlane.admin.get<KubeList<Node>>('/api/v1/nodes')).items;

  it('marks a pod Unschedulable, then runs it once a raised group has brought a node', async () => {
    const { admin } = testbed.controlPlane;
    await admin.create(pods, podNamed('first', '1500m'));
    const scheduled = await eventually('a word of the scheduler', async () =>
      (await getPod('first')).status.conditions?.find(({ type }) => type === 'PodScheduled'),
    );
    expect(scheduled).toMatchObject({ status: 'False', reason: 'Unschedulable' });

    await autoScaling.send(
      new SetDesiredCapacityCommand({ AutoScalingGroupName: 'blue', DesiredCapacity: 1 }),
    );
    const running = await eventually('a running pod', async () => {
      const pod = await getPod('first');
      return pod.status.phase === 'Running' ? pod : undefined;
    });
    const [group] = await testbed.emulator.control.groups();
    const instance = group?.instances[0];
    expect(running.spec.nodeName).toBe(instance?.privateDnsName);
    expect(running.status.podIP).toMatch(/^10\.244\./);
    expect(running.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'True' }),
    );
    expect(testbed.fleetProblems).toEqual([]);
  });

  it('registers the node as kubelet and cloud would: identity, labels, taints, amounts', async () => {
    const [node] = await listNodes();
    const [group] = await testbed.emulator.control.groups();
    expect(node?.spec.providerID).toBe(`aws:///us-east-1a/${group?.instances[0]?.id}`);
    expect(node?.metadata.labels).toMatchObject({
      team: 'blue',
      'kubernetes.io/arch': 'amd64',
      'node.kubernetes.io/instance-type': 'm5.large',
      'topology.kubernetes.io/zone': 'us-east-1a',
      'topology.kubernetes.io/region': 'us-east-1',
    });
    expect(node?.spec.taints).toEqual([{ key: 'dedicated', value: 'blue', effect: 'NoSchedule' }]);
    // 8192 MiB less 4 %; then 255 + 11 * 110 MiB reserved and 100 MiB kept from eviction.
    expect(node?.status.capacity).toMatchObject({
      cpu: '2',
      memory: '8053063Ki',
      pods: '110',
      'example.com/fpga': '2',
    });
    expect(node?.status.allocatable).toMatchObject({ cpu: '1930m', memory: '6450503Ki' });
  });

  it('keeps the node alive and lets a deleted pod go', async () => {
    const { admin } = testbed.controlPlane;
    const [node] = await listNodes();
    const lease = await admin.get<{ readonly spec: { readonly renewTime: string } }>(
      `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node?.metadata.name}`,
    );
    expect(Date.parse(lease.spec.renewTime)).toBeGreaterThan(0);
    await admin.remove(`${pods}/first`);
    await eventually('the end of the pod', () =>
      getPod('first').then(
        () => undefined,
        (error: unknown) => (error instanceof KubeError && error.status === 404 ? true : undefined),
      ),
    );
  });

  it('runs the controllers: a Deployment becomes pods', async () => {
    const labels = { app: 'web' };
    await testbed.controlPlane.admin.create('/apis/apps/v1/namespaces/default/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            tolerations: [{ operator: 'Exists' }],
            containers: [{ name: 'main', image: 'none' }],
          },
        },
      },
    });
    await eventually('two running replicas', async () => {
      const path = `${pods}?labelSelector=app=web`;
      const { items } = await testbed.controlPlane.admin.get<KubeList<Pod>>(path);
      const running = items.filter(({ status }) => status.phase === 'Running');
      return running.length === 2 ? running : undefined;
    });
  });

  it('takes the node away with its instance', async () => {
    const [group] = await testbed.emulator.control.groups();
    await autoScaling.send(
      new TerminateInstanceInAutoScalingGroupCommand({
        InstanceId: group?.instances[0]?.id ?? '',
        ShouldDecrementDesiredCapacity: true,
      }),
    );
    await eventually('an empty cluster', async () =>
      (await listNodes()).length === 0 ? true : undefined,
    );
  });

  it('holds a service account’s token to its RBAC', async () => {
    const token = await testbed.controlPlane.serviceAccountToken('default', 'default');
    const asServiceAccount = testbed.controlPlane.clientFor(token);
    await expect(asServiceAccount.get('/api/v1/nodes')).rejects.toMatchObject({ status: 403 });
  });
});
