import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { PodView } from '#cluster/snapshot.ts';

function read(given: { metadata?: object; spec?: object; status?: object }): PodView {
  const metadata = { name: 'web-1', namespace: 'shop', uid: 'u1', ...given.metadata };
  const object = { apiVersion: 'v1', kind: 'Pod', ...given, metadata };
  const { snapshot, problems } = readClusterObjects([{ object }]);
  expect(problems).toEqual([]);
  const [pod] = snapshot.pods;
  if (!pod) throw new Error('no pod was read');
  return pod;
}

describe('a pod as kubectl prints it', () => {
  it('gives every field of the view', () => {
    const pod = read({
      metadata: {
        labels: { app: 'web' },
        creationTimestamp: '2026-08-21T10:00:00Z',
        deletionTimestamp: '2026-08-21T11:00:00Z',
        ownerReferences: [
          { kind: 'Thing', name: 'other', uid: 'o' },
          { kind: 'ReplicaSet', name: 'web', uid: 'r', controller: true },
        ],
      },
      spec: {
        schedulerName: 'mine',
        priority: -20,
        nodeName: 'n1',
        schedulingGates: [{ name: 'wait' }],
        nodeSelector: { disk: 'ssd' },
      },
      status: {
        phase: 'Running',
        nominatedNodeName: 'n2',
        conditions: [
          { type: 'Ready', status: 'True' },
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            lastTransitionTime: '2026-08-21T10:00:01Z',
          },
        ],
      },
    });
    expect(pod).toEqual({
      namespace: 'shop',
      name: 'web-1',
      uid: 'u1',
      labels: { app: 'web' },
      annotations: {},
      createdAtMs: Date.UTC(2026, 7, 21, 10),
      deletedAtMs: Date.UTC(2026, 7, 21, 11),
      owner: { kind: 'ReplicaSet', name: 'web', uid: 'r' },
      schedulerName: 'mine',
      priority: -20,
      nodeName: 'n1',
      nominatedNodeName: 'n2',
      phase: 'Running',
      scheduled: {
        status: 'False',
        reason: 'Unschedulable',
        sinceMs: Date.UTC(2026, 7, 21, 10, 0, 1),
      },
      gated: true,
      requests: {},
      nodeSelector: { disk: 'ssd' },
      tolerations: [],
      hostPorts: [],
      notJudged: [],
    });
  });

  it('fills in what a pod that was never stored leaves out', () => {
    const pod = read({ metadata: { namespace: undefined, creationTimestamp: null } });
    expect(pod.namespace).toBe('default');
    expect(pod.phase).toBe('Pending');
    expect(pod.schedulerName).toBe('default-scheduler');
    expect(pod).not.toHaveProperty('priority');
    expect(pod).not.toHaveProperty('createdAtMs');
    expect(pod).not.toHaveProperty('requiredNodeAffinity');
  });

  it('keeps only the annotations that mean something here', () => {
    const annotations = {
      'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
      'karpenter.sh/do-not-disrupt': 'true',
      'outrider.dev/x': 'y',
      'kubectl.kubernetes.io/last-applied-configuration': '{"secret":1}',
    };
    expect(Object.keys(read({ metadata: { annotations } }).annotations)).toEqual([
      'cluster-autoscaler.kubernetes.io/safe-to-evict',
      'karpenter.sh/do-not-disrupt',
      'outrider.dev/x',
    ]);
  });

  it('counts a limit as the request where none is given', () => {
    const resources = { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } };
    expect(read({ spec: { containers: [{ resources }] } }).requests).toEqual({
      cpu: 1000,
      memory: 2 ** 30,
    });
  });

  it('reads amounts that YAML took for numbers', () => {
    const resources = { requests: { cpu: 0.1, memory: 1024 } };
    expect(read({ spec: { containers: [{ resources }] } }).requests).toEqual({
      cpu: 100,
      memory: 1024,
    });
  });

  it('tells sidecars from init containers by restartPolicy', () => {
    const ask = (cpu: string) => ({ resources: { requests: { cpu } } });
    const { requests } = read({
      spec: {
        containers: [ask('1')],
        initContainers: [{ ...ask('500m'), restartPolicy: 'Always' }, ask('2')],
        overhead: { cpu: '10m' },
      },
    });
    expect(requests).toEqual({ cpu: 2510 });
  });

  it('reads pod-level resources', () => {
    const containers = [{ resources: { requests: { cpu: '1' } } }];
    const resources = { requests: { cpu: '4' } };
    expect(read({ spec: { containers, resources } }).requests).toEqual({ cpu: 4000 });
  });

  describe('resized in place', () => {
    const containers = [{ name: 'a', resources: { requests: { cpu: '4' } } }];
    const containerStatuses = [
      { name: 'a', allocatedResources: { cpu: '2' }, resources: { requests: { cpu: '3' } } },
    ];
    const infeasible = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
    const grown = [{ name: 'a', allocatedResources: { cpu: '6' } }];

    it('counts the largest of spec and status once it is on a node', () => {
      const spec = { containers, nodeName: 'n1' };
      expect(read({ spec, status: { containerStatuses } }).requests).toEqual({ cpu: 4000 });
      expect(read({ spec, status: { containerStatuses: grown } }).requests).toEqual({ cpu: 6000 });
    });

    it('leaves the spec out while the resize is infeasible', () => {
      const spec = { containers, nodeName: 'n1' };
      const status = { containerStatuses, conditions: infeasible };
      expect(read({ spec, status }).requests).toEqual({ cpu: 3000 });
    });

    it('looks at the spec alone before it is on a node', () => {
      expect(read({ spec: { containers }, status: { containerStatuses: grown } }).requests).toEqual(
        {
          cpu: 4000,
        },
      );
    });
  });

  it('reads required node affinity, an empty list of terms included', () => {
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const term = {
      matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }],
      matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n'] }],
    };
    const withTerms = (nodeSelectorTerms: unknown) =>
      read({ spec: { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms } } } } });
    expect(withTerms([term, {}]).requiredNodeAffinity).toEqual([
      term,
      { matchExpressions: [], matchFields: [] },
    ]);
    expect(withTerms(null).requiredNodeAffinity).toEqual([]);
    const preferred = [{ weight: 7, preference: term }];
    const pod = read({
      spec: {
        affinity: {
          nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred },
        },
      },
    });
    expect(pod).not.toHaveProperty('requiredNodeAffinity');
    expect(pod.preferredNodeAffinity).toEqual([{ weight: 7, term }]);
  });

  it('reads tolerations with their defaults', () => {
    const tolerations = [
      { key: 'a', value: 'b', effect: 'NoSchedule' },
      { operator: 'Exists', key: '', effect: '' },
      { key: 'n', operator: 'Gt', value: '5', tolerationSeconds: 300, effect: 'NoExecute' },
    ];
    expect(read({ spec: { tolerations } }).tolerations).toEqual([
      { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' },
      { operator: 'Exists' },
      { key: 'n', operator: 'Gt', value: '5', tolerationSeconds: 300, effect: 'NoExecute' },
    ]);
  });

  it('takes host ports of containers and sidecars, not of init containers; on the host network all their ports', () => {
    const port = (hostPort: number, more: object = {}) => ({
      ports: [{ containerPort: 1, hostPort, ...more }],
    });
    const spec = {
      containers: [
        port(80),
        port(53, { protocol: 'UDP', hostIP: '10.0.0.1' }),
        { ports: [{ containerPort: 9 }] },
      ],
      initContainers: [{ ...port(81), restartPolicy: 'Always' }, port(82)],
    };
    const asked = [
      { protocol: 'TCP', hostIp: '0.0.0.0', port: 81 },
      { protocol: 'TCP', hostIp: '0.0.0.0', port: 80 },
      { protocol: 'UDP', hostIp: '10.0.0.1', port: 53 },
    ];
    expect(read({ spec }).hostPorts).toEqual(asked);
    expect(read({ spec: { ...spec, hostNetwork: true } }).hostPorts).toEqual([
      ...asked,
      { protocol: 'TCP', hostIp: '0.0.0.0', port: 9 },
    ]);
  });

  it('names what no filter judges', () => {
    const spec = { resourceClaims: [{ name: 'gpu' }], volumes: [{ name: 'v', ephemeral: {} }] };
    expect(read({ spec }).notJudged).toEqual(['resourceClaims']);
  });

  it('tells a pod that evicts nobody', () => {
    expect(read({ spec: { preemptionPolicy: 'Never' } }).neverPreempts).toBe(true);
    const other = read({ spec: { preemptionPolicy: 'PreemptLowerPriority' } });
    expect(other).not.toHaveProperty('neverPreempts');
  });

  it('tells which features a kubelet must have declared', () => {
    const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }];
    const spec = { initContainers: [{ restartPolicyRules: rules }] };
    expect(read({ spec }).requiredFeatures).toEqual(['RestartAllContainersOnContainerExits']);
    const users = { hostNetwork: true, hostUsers: false };
    expect(read({ spec: users }).requiredFeatures).toEqual(['UserNamespacesHostNetworkSupport']);
    expect(read({ spec: { hostUsers: false } })).not.toHaveProperty('requiredFeatures');
  });
});
