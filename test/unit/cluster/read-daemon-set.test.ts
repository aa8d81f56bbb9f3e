import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { DaemonSetView } from '#cluster/snapshot.ts';

function read(spec: object): DaemonSetView {
  const { snapshot, problems } = readClusterObjects([
    {
      object: {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'agent', namespace: 'kube-system', uid: 'u' },
        spec: { template: { metadata: { labels: { app: 'agent' } }, spec } },
      },
    },
  ]);
  expect(problems).toEqual([]);
  const [daemonSet] = snapshot.daemonSets;
  if (!daemonSet) throw new Error('no DaemonSet was read');
  return daemonSet;
}

describe('a DaemonSet as kubectl prints it', () => {
  it('gives the demands of its template, limits counting where no request is given', () => {
    const daemonSet = read({
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      containers: [
        {
          resources: { requests: { cpu: '50m' }, limits: { cpu: '1', memory: '64Mi' } },
          ports: [{ containerPort: 9100, hostPort: 9100 }],
        },
      ],
    });
    expect(daemonSet).toMatchObject({
      namespace: 'kube-system',
      name: 'agent',
      uid: 'u',
      requests: { cpu: 50, memory: 64 * 2 ** 20 },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      hostPorts: [{ protocol: 'TCP', hostIp: '0.0.0.0', port: 9100 }],
    });
  });

  it('adds the tolerations that the DaemonSet controller adds to each pod', () => {
    const { tolerations } = read({ tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    expect(tolerations.map(({ key, operator, effect }) => [key, operator, effect])).toEqual([
      ['gpu', 'Exists', undefined],
      ['node.kubernetes.io/not-ready', 'Exists', 'NoExecute'],
      ['node.kubernetes.io/unreachable', 'Exists', 'NoExecute'],
      ['node.kubernetes.io/disk-pressure', 'Exists', 'NoSchedule'],
      ['node.kubernetes.io/memory-pressure', 'Exists', 'NoSchedule'],
      ['node.kubernetes.io/pid-pressure', 'Exists', 'NoSchedule'],
      ['node.kubernetes.io/unschedulable', 'Exists', 'NoSchedule'],
    ]);
  });

  it('has the labels of its pods, and merges them into selectors as the API server will', () => {
    const constraint = {
      topologyKey: 'zone',
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: {},
      matchLabelKeys: ['app', 'controller-revision-hash'],
    };
    const daemonSet = read({ topologySpreadConstraints: [constraint] });
    expect(daemonSet.labels).toEqual({ app: 'agent' });
    expect(daemonSet.topologySpread?.[0]?.selector?.matchExpressions).toEqual([
      { key: 'app', operator: 'In', values: ['agent'] },
    ]);
  });

  it('leaves out claims that will be made for each pod, which are not there before it', () => {
    const volumes = [
      { name: 'a', ephemeral: {} },
      { name: 'b', persistentVolumeClaim: { claimName: 'shared' } },
    ];
    expect(read({ volumes }).volumes).toEqual([
      { kind: 'claim', claim: 'shared', ephemeral: false },
    ]);
  });

  it('tolerates the missing network only where it uses the host network', () => {
    const key = 'node.kubernetes.io/network-unavailable';
    expect(read({}).tolerations.some((one) => one.key === key)).toBe(false);
    expect(read({ hostNetwork: true }).tolerations.some((one) => one.key === key)).toBe(true);
  });
});
