import { describe, expect, it } from 'vitest';
import type { PodAffinityTerm, TopologySpreadConstraint } from '#cluster/constraints.ts';
import type { ClusterSnapshot, PodView } from '#cluster/snapshot.ts';
import type { ClaimView, StorageClassView, VolumeView } from '#cluster/storage-views.ts';
import { explainPod } from '#scaling/explaining/explain-pod.ts';
import type { Explanation } from '#scaling/explaining/explanation.ts';
import {
  backOff,
  boundPod,
  cpuAndMemory,
  daemonSet,
  GiB,
  group,
  type InputParts,
  ledgerEntry,
  m5large,
  m5xlarge,
  node,
  override,
  pod,
  pods,
  scaleUpInput,
} from '../../../helpers/scaling-builders.ts';

const explain = (
  parts: InputParts,
  {
    lists = {},
    name = 'web',
  }: { readonly lists?: Partial<ClusterSnapshot>; readonly name?: string } = {},
): Explanation => {
  const input = scaleUpInput(parts);
  const asked = { ...input, snapshot: { ...input.snapshot, ...lists } };
  const explanation = explainPod(asked, { pod: `default/${name}`, nodes: false });
  if ('refused' in explanation) throw new Error(explanation.refused);
  return explanation;
};

/** `[kind, beginning of the message]` of each remedy. */
const told = (explanation: Explanation): readonly (readonly [string, string])[] =>
  explanation.remedies.map(({ kind, message }) => [kind, message.split(': then ')[0] ?? '']);

const tag = (kind: string, key: string, value: string) => ({
  [`k8s.io/cluster-autoscaler/node-template/${kind}/${key}`]: value,
});

/** A pod that nobody would make anew. */
const lonePod = (name: string): PodView => {
  const { owner: _owner, ...rest } = pod(name);
  return rest;
};

describe('what helps a stuck pod: taints', () => {
  const tainted = group('batch', { tags: tag('taint', 'dedicated', 'batch:NoSchedule') });

  it('is the toleration that was forgotten, with the YAML to paste and what the simulation gives', () => {
    const { verdict, remedies } = explain({ groups: [tainted], pods: [lonePod('web')] });
    expect(verdict).toBe('stuck');
    expect(remedies[0]).toMatchObject({
      kind: 'toleration',
      message: 'tolerate dedicated=batch:NoSchedule: then it runs on a new node of the group batch',
      fitsOn: 1,
      outcome: { group: 'batch' },
      patch: [
        '# Pod web',
        'spec:',
        '  tolerations:',
        '    - key: dedicated',
        '      operator: Equal',
        '      value: batch',
        '      effect: NoSchedule',
      ].join('\n'),
    });
  });

  it('names the Deployment whose template is to be changed, and keeps the tolerations that it has', () => {
    const { remedies } = explain({
      groups: [tainted],
      pods: [
        pod('web', {
          owner: { kind: 'ReplicaSet', name: 'web-5d4f', uid: 'u' },
          labels: { 'pod-template-hash': '5d4f' },
          tolerations: [
            { key: 'spot', operator: 'Exists' },
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 300 },
          ],
        }),
      ],
    });
    expect(remedies[0]?.patch).toBe(
      [
        '# Deployment web',
        'spec:',
        '  template:',
        '    spec:',
        '      tolerations:',
        '        - key: spot',
        '          operator: Exists',
        '        - key: dedicated',
        '          operator: Equal',
        '          value: batch',
        '          effect: NoSchedule',
      ].join('\n'),
    );
  });

  it('says whether the namespace may have it', () => {
    const noteWith = (lists: Partial<ClusterSnapshot>) =>
      explain({ groups: [tainted], pods: [pod('web')] }, { lists }).remedies[0]?.note;
    const allowing = (key: string) => ({
      namespaces: [
        {
          name: 'default',
          labels: {},
          tolerationsWhitelist: [{ key, operator: 'Exists' as const }],
        },
      ],
    });
    expect(noteWith({})).toMatch(
      /no namespace default, so whether a policy allows it .* not known/,
    );
    expect(noteWith({ namespaces: [{ name: 'default', labels: {} }] })).toMatch(
      /names no tolerations/,
    );
    expect(noteWith(allowing('dedicated'))).toMatch(/default allows it/);
    expect(noteWith(allowing('spot'))).toMatch(/does not allow it: .* must have dedicated too/);
  });

  it('is never to tolerate that a node is sick, cordoned or of the control plane', () => {
    for (const key of ['node-role.kubernetes.io/control-plane', 'node.kubernetes.io/not-ready']) {
      const sick = node('n', { taints: [{ key, value: '', effect: 'NoSchedule' }] });
      expect(told(explain({ groups: [], nodes: [sick], pods: [pod('web')] }))).toEqual([]);
    }
  });

  it('is to open a cordoned node', () => {
    const cordoned = node('n-1', { unschedulable: true });
    expect(explain({ groups: [], nodes: [cordoned], pods: [pod('web')] }).remedies).toMatchObject([
      { kind: 'uncordon', patch: '# kubectl uncordon n-1', outcome: { node: 'n-1' } },
    ]);
  });
});

describe('what helps a stuck pod: labels', () => {
  const pool = (value: string) => group(value, { tags: tag('label', 'pool', value) });

  it('is the value that was meant, by edit distance, before dropping the selector', () => {
    const explanation = explain({
      groups: [pool('batch'), pool('online')],
      pods: [pod('web', { nodeSelector: { pool: 'bacth' } })],
    });
    expect(told(explanation)).toEqual([
      ['nodeSelector', 'select pool=batch instead of pool=bacth'],
      ['nodeSelector', 'drop the nodeSelector pool=bacth'],
    ]);
    expect(explanation.remedies[0]?.outcome).toEqual({ group: 'batch' });
    expect(explanation.remedies[0]?.patch).toContain('nodeSelector:\n        pool: batch');
  });

  it('is the key that was meant, or the same one of another domain', () => {
    const first = (nodeSelector: Record<string, string>, tags: Record<string, string>) =>
      told(
        explain({ groups: [group('g', { tags })], pods: [pod('web', { nodeSelector })] }),
      )[0]?.[1];
    expect(first({ poool: 'web' }, tag('label', 'pool', 'web'))).toBe(
      'select pool=web instead of poool=web',
    );
    expect(first({ 'old.example/team': 'red' }, tag('label', 'new.example.com/team', 'red'))).toBe(
      'select new.example.com/team=red instead of old.example/team=red',
    );
  });

  it('is the tag that tells of a label that nobody knows of, if the nodes have it', () => {
    const explanation = explain({ pods: [pod('web', { nodeSelector: { team: 'red' } })] });
    expect(told(explanation)[0]).toEqual([
      'label',
      'tag the group workers-a k8s.io/cluster-autoscaler/node-template/label/team=red',
    ]);
    expect(explanation.remedies[0]?.note).toMatch(/^only if new nodes of workers-a have it/);
  });

  it('never tags what Kubernetes itself sets', () => {
    const explanation = explain({
      pods: [pod('web', { nodeSelector: { 'kubernetes.io/arch': 'arm64' } })],
    });
    expect(told(explanation).map(([kind]) => kind)).not.toContain('label');
  });

  it('is a value put right in required node affinity', () => {
    const affinity = {
      requiredNodeAffinity: [
        {
          matchExpressions: [{ key: 'pool', operator: 'In' as const, values: ['onlin'] }],
          matchFields: [],
        },
      ],
    };
    const explanation = explain({ groups: [pool('online')], pods: [pod('web', affinity)] });
    expect(told(explanation)).toEqual([
      [
        'nodeAffinity',
        'let the required node affinity want pool In [online] instead of pool In [onlin]',
      ],
      ['nodeAffinity', 'drop pool In [onlin] from the required node affinity'],
    ]);
  });

  it('is a group in the zone that is asked for', () => {
    const explanation = explain({
      pods: [pod('web', { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1f' } })],
    });
    expect(told(explanation)).toContainEqual([
      'zone',
      'add a group like workers-a in us-east-1f alone',
    ]);
  });

  it('is a group of one zone where AWS chooses among several', () => {
    const explanation = explain({
      groups: [group('any', { zones: ['us-east-1a', 'us-east-1b'] })],
      pods: [pod('web', { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1b' } })],
    });
    expect(explanation.groups[0]?.code).toBe('zoneNotGuaranteed');
    expect(told(explanation)).toContainEqual(['zone', 'add a group like any in us-east-1b alone']);
  });
});

describe('what helps a stuck pod: requests', () => {
  it('is the most that fits, by group, the smallest change first', () => {
    const explanation = explain({
      groups: [group('large', { launchTemplate: { id: 'lt-m5x', version: '1' } }), group('small')],
      daemonSets: [daemonSet('agent')],
      instanceTypes: [m5large, m5xlarge],
      pods: [pod('web', { requests: cpuAndMemory(8000) })],
    });
    expect(told(explanation)).toEqual([
      ['request', 'request 3820m of cpu instead of 8 (the most that a new node of large takes)'],
      ['request', 'request 1830m of cpu instead of 8 (the most that a new node of small takes)'],
    ]);
    expect(explanation.remedies[0]?.outcome).toEqual({ group: 'large' });
  });

  it('rounds bytes down to whole MiB', () => {
    const [first] = told(
      explain({ pods: [pod('web', { requests: cpuAndMemory(500, 60 * GiB) })] }),
    );
    expect(first?.[1]).toMatch(/^request \d+Mi of memory instead of 61440Mi/);
  });

  it('is a larger type that is known', () => {
    const explanation = explain({ pods: [pod('web', { requests: cpuAndMemory(3000) })] });
    expect(told(explanation)).toContainEqual([
      'instanceType',
      'let the group workers-a launch g4dn.xlarge',
    ]);
  });

  it('is the tag of a resource that nobody tells of', () => {
    const explanation = explain({
      instanceTypes: [m5large],
      pods: [pod('web', { requests: { cpu: 100, 'example.com/fuse': 1 } })],
    });
    expect(told(explanation).map(([kind]) => kind)).toEqual(['resource', 'request']);
    expect(explanation.remedies[0]?.patch).toContain(
      'k8s.io/cluster-autoscaler/node-template/resources/example.com/fuse',
    );
  });

  it('is to launch only the types that would do', () => {
    const mixed = group('mixed', { overrides: [override('m5.large'), override('m5.xlarge')] });
    const explanation = explain({
      groups: [mixed],
      pods: [pod('web', { requests: cpuAndMemory(3000) })],
    });
    expect(explanation.groups[0]?.code).toBe('instanceTypeNotGuaranteed');
    expect(told(explanation)).toContainEqual([
      'instanceType',
      'let the group mixed launch only m5.xlarge',
    ]);
  });
});

describe('what helps a stuck pod: the groups', () => {
  it('is the maximum raised to what its like need in all', () => {
    const parts = {
      groups: [group('full', { desired: 2, max: 2 })],
      pods: pods(5, 'web', { requests: cpuAndMemory(1500) }),
    };
    const explanation = explain(parts, { name: 'web-5' });
    expect(explanation.remedies).toMatchObject([
      {
        kind: 'groupMaximum',
        message:
          'raise the maximum of the group full from 2 to 5: then it runs on a new node of the group full',
        patch: '# Auto Scaling group full\nMaxSize: 5',
      },
    ]);
  });

  it('is to resume its Launch process', () => {
    const explanation = explain({
      groups: [group('g', { suspendedProcesses: ['Launch'] })],
      pods: [pod('web')],
    });
    expect(told(explanation)).toEqual([
      ['resumeLaunch', 'resume the Launch process of the group g'],
    ]);
  });

  it('is to wait until the end of a back-off', () => {
    const explanation = explain({
      ledger: [ledgerEntry('workers-a', { backOff: backOff() })],
      pods: [pod('web')],
    });
    expect(told(explanation)[0]?.[0]).toBe('wait');
    expect(told(explanation)[0]?.[1]).toMatch(
      /^wait until 20\S+Z, when the group workers-a is raised/,
    );
  });

  it('is the next look, where one decision adds no more', () => {
    const explanation = explain(
      {
        policy: { maxNodesPerDecision: 1 },
        pods: pods(2, 'web', { requests: cpuAndMemory(1500) }),
      },
      { name: 'web-2' },
    );
    expect(told(explanation)).toContainEqual([
      'policyLimit',
      'wait for the next looks, or raise scaling.maxNodesPerDecision from 1 to 2',
    ]);
  });
});

describe('what helps a stuck pod: limits of the policy', () => {
  const twoPods = pods(2, 'web', { requests: cpuAndMemory(1500) });
  const first = (policy: InputParts['policy']) => {
    const parts = { ...(policy === undefined ? {} : { policy }), pods: twoPods };
    const explanation = explain(parts, { name: 'web-2' });
    return [explanation.groups[0]?.code, explanation.remedies[0]?.message.split(': then')[0]];
  };

  it('is each limit raised to what is needed', () => {
    expect(first({ limits: { nodes: 1 } })).toEqual([
      'clusterNodeLimit',
      'raise scaling.limits.nodes from 1 to 2',
    ]);
    expect(first({ limits: { newNodes: 1 } })).toEqual([
      'newNodeLimit',
      'raise scaling.limits.newNodes from 1 to 2',
    ]);
    expect(first({ groups: [{ match: 'workers-*', maxNodes: 1 }] })).toEqual([
      'groupNodeLimit',
      'raise groups[].maxNodes of workers-* from 1 to 2',
    ]);
    expect(first({ limits: { resources: { cpu: 3000 } } })).toEqual([
      'clusterResourceLimit',
      'lift the limits of the cluster on cpu (scaling.limits.resources)',
    ]);
  });
});

describe('what helps a stuck pod: other pods', () => {
  const selector = { matchLabels: { app: 'web' }, matchExpressions: [] };
  const spread: TopologySpreadConstraint = {
    topologyKey: 'kubernetes.io/hostname',
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    selector,
    nodeAffinityPolicy: 'Honor',
    nodeTaintsPolicy: 'Ignore',
  };
  const hostTerm: PodAffinityTerm = {
    topologyKey: 'kubernetes.io/hostname',
    selector,
    namespaces: ['default'],
  };

  it('is a larger skew, or a spread that only weighs', () => {
    const explanation = explain({
      groups: [],
      nodes: [node('a'), node('b', { allocatable: { cpu: 100, memory: GiB, pods: 10 } })],
      pods: [
        boundPod('web-0', 'a', { labels: { app: 'web' }, requests: cpuAndMemory(100) }),
        pod('web', { labels: { app: 'web' }, topologySpread: [spread] }),
      ],
    });
    expect(told(explanation)).toEqual([
      ['topologySpread', 'allow a maxSkew of 2'],
      ['request', 'request 100m of cpu instead of 1'],
      ['topologySpread', 'spread it as far as it goes (whenUnsatisfiable: ScheduleAnyway)'],
    ]);
  });

  it('is anti-affinity that only weighs', () => {
    const explanation = explain({
      groups: [],
      nodes: [node('a')],
      pods: [
        boundPod('web-0', 'a', { labels: { app: 'web' }, requests: cpuAndMemory(100) }),
        pod('web', {
          labels: { app: 'web' },
          podAntiAffinity: { required: [hostTerm], preferred: [] },
        }),
      ],
    });
    expect(explanation.remedies).toMatchObject([
      { kind: 'podAntiAffinity', outcome: { node: 'a' } },
    ]);
    expect(explanation.remedies[0]?.patch).toContain('podAntiAffinity');
  });

  it('is the label of the pods that were meant', () => {
    const typing = { ...selector, matchLabels: { app: 'chache' } };
    const explanation = explain({
      groups: [],
      nodes: [node('a')],
      pods: [
        boundPod('cache-0', 'a', { labels: { app: 'cache' }, requests: cpuAndMemory(100) }),
        pod('web', {
          labels: { app: 'web' },
          podAffinity: { required: [{ ...hostTerm, selector: typing }], preferred: [] },
        }),
      ],
    });
    expect(told(explanation)[0]).toEqual([
      'podAffinity',
      'let the pod affinity want pods with app=cache instead of app=chache, which no pod has',
    ]);
  });

  it('is to give up a host port that a DaemonSet has on every node', () => {
    const hostPorts = [{ protocol: 'TCP' as const, hostIp: '0.0.0.0', port: 9100 }];
    const explanation = explain({
      daemonSets: [daemonSet('exporter', { hostPorts })],
      pods: [pod('web', { hostPorts })],
    });
    expect(told(explanation)).toEqual([['hostPort', 'give up the host port 9100']]);
  });
});

describe('what helps a stuck pod: storage', () => {
  const claim = (over: Partial<ClaimView>): ClaimView => ({
    namespace: 'default',
    name: 'data',
    uid: 'uid-claim',
    bindCompleted: false,
    storageClass: 'gp3',
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    requestedBytes: GiB,
    phase: 'Pending',
    ...over,
  });
  const gp3: StorageClassView = {
    name: 'gp3',
    provisioner: 'ebs.csi.aws.com',
    bindingMode: 'WaitForFirstConsumer',
    isDefault: true,
  };
  const zonal: VolumeView = {
    name: 'pv-1',
    uid: 'uid-pv',
    labels: {},
    capacityBytes: GiB,
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    storageClass: 'gp3',
    phase: 'Bound',
    claim: { namespace: 'default', name: 'data' },
    nodeAffinity: [
      {
        matchExpressions: [
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1c'] },
        ],
        matchFields: [],
      },
    ],
  };
  const web = (name: string) =>
    pod('web', { volumes: [{ kind: 'claim', claim: name, ephemeral: false }] });

  it('is a group in the zone of the volume', () => {
    const claims = [claim({ volumeName: 'pv-1', bindCompleted: true, phase: 'Bound' })];
    const lists = { claims, volumes: [zonal], storageClasses: [gp3] };
    const explanation = explain({ pods: [web('data')] }, { lists });
    expect(told(explanation)).toEqual([['zone', 'add a group like workers-a in us-east-1c alone']]);
    expect(explanation.groups[0]?.message).toContain('us-east-1c');
  });

  it('is the claim that was meant, or a new one', () => {
    const lists = { claims: [claim({})], storageClasses: [gp3] };
    expect(told(explain({ pods: [web('dat')] }, { lists }))).toEqual([
      ['claim', 'use the claim data, which exists, instead of dat'],
      ['claim', 'create the claim default/dat, of the storage class gp3 for example'],
    ]);
  });

  it('is the storage class that was meant', () => {
    const lists = { claims: [claim({ storageClass: 'gp4' })], storageClasses: [gp3] };
    expect(told(explain({ pods: [web('data')] }, { lists }))).toEqual([
      ['storageClass', 'make the claim default/data anew with the storage class gp3'],
    ]);
  });
});

describe('what helps a stuck pod: two changes', () => {
  it('are told only where no single one suffices', () => {
    const explanation = explain({
      groups: [
        group('full', {
          desired: 1,
          max: 1,
          tags: tag('taint', 'dedicated', 'x:NoSchedule'),
        }),
      ],
      pods: [
        pod('first', { tolerations: [{ operator: 'Exists' }], requests: cpuAndMemory(1900) }),
        pod('web', { requests: cpuAndMemory(500) }),
      ],
    });
    expect(explanation.remedies).toMatchObject([
      { kind: 'combination', changes: ['toleration', 'groupMaximum'], outcome: { group: 'full' } },
    ]);
    expect(explanation.remedies[0]?.message).toBe(
      'tolerate dedicated=x:NoSchedule, and raise the maximum of the group full from 1 to 2: then it runs on a new node of the group full',
    );
  });

  it('come before a single one that takes away: tolerated, its like would fill the group', () => {
    const explanation = explain(
      {
        groups: [group('batch', { max: 2, tags: tag('taint', 'dedicated', 'x:NoSchedule') })],
        nodes: [node('n', { allocatable: { cpu: 200, memory: 8 * GiB, pods: 20 } })],
        pods: pods(4, 'web', { requests: cpuAndMemory(1500) }),
      },
      { name: 'web-4' },
    );
    expect(told(explanation)).toEqual([
      [
        'combination',
        'tolerate dedicated=x:NoSchedule, and raise the maximum of the group batch from 2 to 4',
      ],
      ['combination', 'tolerate dedicated=x:NoSchedule, and request 200m of cpu instead of 1500m'],
    ]);
  });

  it('are found where the first shows what else is wrong', () => {
    const explanation = explain(
      {
        groups: [group('batch', { tags: tag('taint', 'dedicated', 'x:NoSchedule') })],
        pods: [pod('web', { volumes: [{ kind: 'claim', claim: 'data', ephemeral: false }] })],
      },
      {
        lists: {
          storageClasses: [
            {
              name: 'gp3',
              provisioner: 'ebs.csi.aws.com',
              bindingMode: 'WaitForFirstConsumer',
              isDefault: true,
            },
          ],
        },
      },
    );
    expect(explanation.remedies).toMatchObject([
      { kind: 'combination', changes: ['toleration', 'claim'] },
    ]);
  });

  it('are not told where there is nothing to be done', () => {
    const explanation = explain({ groups: [], nodes: [], pods: [pod('web')] });
    expect([explanation.verdict, explanation.remedies]).toEqual(['stuck', []]);
  });
});
