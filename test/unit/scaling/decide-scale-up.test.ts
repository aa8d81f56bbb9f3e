import { describe, expect, it } from 'vitest';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import {
  boundPod,
  cpuAndMemory,
  daemonSet,
  GiB,
  group,
  instance,
  instanceType,
  launchTemplate,
  MiB,
  m5large,
  m5xlarge,
  minute,
  node,
  nodeOf,
  now,
  override,
  pod,
  pods,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

const decide = (parts: Parameters<typeof scaleUpInput>[0]) => decideScaleUp(scaleUpInput(parts));
const raises = (parts: Parameters<typeof scaleUpInput>[0]) =>
  decide(parts).scaleUps.map(({ group: name, from, to }) => [name, from, to]);
const codes = (parts: Parameters<typeof scaleUpInput>[0], name: string) =>
  decide(parts)
    .stuck.find((stuck) => stuck.pod === `default/${name}`)
    ?.reasons.map(({ group: of, code }) => [of, code]);

describe('raising a group', () => {
  it('raises an empty group by the nodes its pods need and says why', () => {
    const decision = decide({ pods: pods(3, 'web', { requests: cpuAndMemory(900) }) });
    expect(decision.scaleUps).toEqual([
      {
        group: 'workers-a',
        zone: 'us-east-1a',
        from: 0,
        to: 2,
        instanceType: 'm5.large',
        pods: ['default/web-1', 'default/web-2', 'default/web-3'],
        reason:
          '3 pods find no node in the cluster; 2 more m5.large in workers-a take them (least waste: 33 % of CPU, 80 % of memory unused)',
      },
    ]);
    expect(decision.stuck).toEqual([]);
    expect(decision.fits).toEqual([]);
  });

  it('raises from the current desired capacity', () => {
    const there = instance('i-1');
    const parts = {
      groups: [group('workers-a', { desired: 1, instances: [there] })],
      nodes: [nodeOf(there)],
      pods: [boundPod('old', 'node-i-1'), pod('web')],
    };
    const [raise] = decide(parts).scaleUps;
    expect(raise).toMatchObject({ from: 1, to: 2, pods: ['default/web'] });
    expect(raise?.reason).toContain('1 pod does not fit the 1 node of the cluster;');
    expect(raise?.reason).toContain('1 more m5.large in workers-a takes it');
  });

  it('does not scale for a pod that an existing node takes', () => {
    const decision = decide({ nodes: [node('a')], pods: [pod('web')] });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits).toEqual([{ pod: 'default/web', node: 'a' }]);
  });

  it('never goes above the maximum and says so of every pod left', () => {
    const parts = {
      groups: [group('workers-a', { max: 2 })],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
    const { stuck } = decide(parts);
    expect(stuck).toEqual([
      {
        pod: 'default/web-3',
        reasons: [
          {
            group: 'workers-a',
            code: 'groupAtMaximum',
            message: 'it is at its maximum of 2 nodes: raise MaxSize',
          },
        ],
      },
    ]);
  });

  it('adds at most so many nodes in one decision', () => {
    const parts = {
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
      policy: { maxNodesPerDecision: 2 },
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
    expect(codes(parts, 'web-3')).toEqual([['workers-a', 'decisionLimit']]);
  });

  it('names neither zone nor type where AWS chooses them', () => {
    const [raise] = decide({
      groups: [
        group('mixed', {
          zones: ['us-east-1a', 'us-east-1b'],
          overrides: [override('m5.large'), override('m5.xlarge')],
        }),
      ],
      pods: [pod('web')],
    }).scaleUps;
    expect(raise).not.toHaveProperty('zone');
    expect(raise).not.toHaveProperty('instanceType');
    expect(raise?.reason).toContain('m5.large or m5.xlarge');
  });

  it('plans the pods that the first group cannot take on another group in the same decision', () => {
    const parts = {
      groups: [group('cpu'), group('gpu', { launchTemplate: { id: 'lt-g4', version: '1' } })],
      pods: [
        pod('web'),
        pod('train', { requests: { cpu: 1000, memory: GiB, 'nvidia.com/gpu': 1 } }),
      ],
    };
    const { scaleUps, stuck } = decide(parts);
    expect(stuck).toEqual([]);
    expect(scaleUps.map(({ group: name }) => name)).toContain('gpu');
    expect(scaleUps.flatMap(({ pods: taken }) => taken).sort()).toEqual([
      'default/train',
      'default/web',
    ]);
  });

  it('goes on with another group where the best one is full', () => {
    const parts = {
      groups: [group('a', { max: 1 }), group('b', { max: 5 })],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
    };
    expect(raises(parts)).toEqual([
      ['a', 0, 1],
      ['b', 0, 2],
    ]);
  });
});

describe('room on the nodes that are there', () => {
  it('counts pods that are being deleted until they are gone, and not those that ended', () => {
    const parts = {
      nodes: [node('a')],
      pods: [
        boundPod('leaving', 'a', { requests: cpuAndMemory(1500), deletedAtMs: now - 1000 }),
        boundPod('done', 'a', { requests: cpuAndMemory(1900), phase: 'Succeeded' }),
        boundPod('failed', 'a', { requests: cpuAndMemory(1900), phase: 'Failed' }),
        pod('small', { requests: cpuAndMemory(400) }),
        pod('large', { requests: cpuAndMemory(900) }),
      ],
    };
    expect(decide(parts).fits).toEqual([{ pod: 'default/small', node: 'a' }]);
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });

  it('keeps the room that a nominated pod waits for, and does not count its victims as well', () => {
    const parts = {
      nodes: [node('a')],
      pods: [
        boundPod('victim', 'a', { requests: cpuAndMemory(1900), deletedAtMs: now, priority: 0 }),
        pod('urgent', { requests: cpuAndMemory(1500), priority: 100, nominatedNodeName: 'a' }),
        pod('small', { requests: cpuAndMemory(400) }),
        pod('large', { requests: cpuAndMemory(900) }),
      ],
    };
    const decision = decide(parts);
    expect(decision.ignored.map(({ pod: name, code }) => [name, code])).toEqual([
      ['default/urgent', 'nominated'],
    ]);
    expect(decision.fits).toEqual([{ pod: 'default/small', node: 'a' }]);
    expect(decision.scaleUps.map(({ pods: taken }) => taken)).toEqual([['default/large']]);
  });

  it('plans a pod that was nominated for a node which is gone', () => {
    expect(raises({ pods: [pod('web', { nominatedNodeName: 'gone' })] })).toEqual([
      ['workers-a', 0, 1],
    ]);
  });

  it('keeps the room that a Pending DaemonSet pod of the node needs', () => {
    const pinned = pod('agent-x', {
      owner: { kind: 'DaemonSet', name: 'agent', uid: 'uid-agent' },
      requests: cpuAndMemory(1500),
      requiredNodeAffinity: [
        {
          matchExpressions: [],
          matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }],
        },
      ],
    });
    const parts = { nodes: [node('a')], pods: [pinned, pod('web')] };
    const decision = decide(parts);
    expect(decision.fits).toEqual([]);
    expect(decision.ignored.map(({ code }) => code)).toEqual(['daemonSetPod']);
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });

  it('takes no room of cordoned nodes and of nodes that are not ready', () => {
    const parts = {
      nodes: [node('cordoned', { unschedulable: true }), node('down', { ready: 'Unknown' })],
      pods: [pod('web')],
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });

  it('gives its room to the pod of higher priority first', () => {
    const decision = decide({
      nodes: [node('a')],
      groups: [group('workers-a', { max: 0 })],
      pods: [
        pod('low', { priority: 1, createdAtMs: now - 5 * minute }),
        pod('high', { priority: 2 }),
      ],
    });
    expect(decision.fits).toEqual([{ pod: 'default/high', node: 'a' }]);
    expect(decision.stuck.map(({ pod: name }) => name)).toEqual(['default/low']);
  });
});

describe('nodes on their way', () => {
  it('are not asked for twice before the scheduler has bound the pod', () => {
    const decision = decide({
      groups: [group('workers-a', { desired: 1 })],
      pods: [pod('web')],
    });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits).toEqual([
      { pod: 'default/web', node: 'group/workers-a/coming-1', group: 'workers-a' },
    ]);
  });

  it('are known from the ledger while the group does not say it yet', () => {
    const ledger = [{ group: 'workers-a', generation: 1, to: 1, instances: {} }];
    expect(raises({ ledger, pods: [pod('web')] })).toEqual([]);
    expect(raises({ ledger, pods: pods(2, 'web', { requests: cpuAndMemory(1500) }) })).toEqual([
      ['workers-a', 0, 2],
    ]);
  });

  it('take no more pods than a real node of the group would', () => {
    const decision = decide({
      groups: [group('workers-a', { desired: 1 })],
      pods: pods(3, 'web', { requests: cpuAndMemory(900) }),
    });
    expect(decision.fits).toHaveLength(2);
    expect(decision.scaleUps).toMatchObject([{ from: 1, to: 2 }]);
    expect(decision.scaleUps[0]?.reason).toContain(
      'the 0 nodes of the cluster and the 1 on the way',
    );
  });

  it('count once while their Node carries a startup taint', () => {
    const starting = instance('i-1');
    const parts = {
      groups: [group('workers-a', { desired: 1, instances: [starting] })],
      nodes: [
        nodeOf(starting, {
          createdAtMs: now - minute,
          taints: [
            {
              key: 'startup-taint.cluster-autoscaler.kubernetes.io/cni',
              value: '',
              effect: 'NoSchedule',
            },
          ],
        }),
      ],
      pods: [pod('web')],
    };
    expect(decide(parts).fits).toEqual([
      { pod: 'default/web', node: 'group/workers-a/coming-1', group: 'workers-a' },
    ]);
    expect(raises(parts)).toEqual([]);
  });

  it('count while a Ready GPU node has no device yet, for more than one pod', () => {
    const gpus = [
      instance('i-1', { type: 'g4dn.xlarge' }),
      instance('i-2', { type: 'g4dn.xlarge' }),
    ];
    const gpuPods = pods(2, 'train', {
      requests: { cpu: 1000, memory: GiB, 'nvidia.com/gpu': 1 },
    });
    const parts = {
      groups: [
        group('gpu', {
          desired: 2,
          instances: gpus,
          launchTemplate: { id: 'lt-g4', version: '1' },
        }),
      ],
      nodes: gpus.map((one) => nodeOf(one, { createdAtMs: now - minute })),
      pods: gpuPods,
    };
    expect(raises(parts)).toEqual([]);
    expect(decide(parts).fits).toHaveLength(2);
  });

  it('stop counting when the start limit has passed without the device', () => {
    const gpu = instance('i-1', { type: 'g4dn.xlarge' });
    const parts = {
      groups: [
        group('gpu', {
          desired: 1,
          instances: [gpu],
          launchTemplate: { id: 'lt-g4', version: '1' },
        }),
      ],
      nodes: [nodeOf(gpu, { createdAtMs: now - 16 * minute })],
      pods: [pod('train', { requests: { cpu: 1000, memory: GiB, 'nvidia.com/gpu': 1 } })],
    };
    expect(raises(parts)).toEqual([['gpu', 1, 2]]);
  });

  it('keep the room of pods that are bound to them already', () => {
    const starting = instance('i-1');
    const parts = {
      groups: [group('workers-a', { desired: 1, instances: [starting] })],
      nodes: [nodeOf(starting, { createdAtMs: now - minute, ready: 'False' })],
      pods: [boundPod('early', 'node-i-1', { requests: cpuAndMemory(1500) }), pod('web')],
    };
    expect(raises(parts)).toEqual([['workers-a', 1, 2]]);
  });

  it('do not come in a group whose Launch process is suspended', () => {
    const parts = {
      groups: [group('workers-a', { desired: 1, suspendedProcesses: ['Launch'] })],
      pods: [pod('web')],
    };
    const decision = decide(parts);
    expect(decision.fits).toEqual([]);
    expect(codes(parts, 'web')).toEqual([['workers-a', 'launchSuspended']]);
    expect(decision.blockedGroups.map(({ code }) => code)).toEqual(['launchSuspended']);
  });
});

describe('pods that do not call for nodes', () => {
  const codeOf = (over: Parameters<typeof pod>[1]) => {
    const decision = decide({ pods: [pod('web', over)] });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.stuck).toEqual([]);
    return decision.ignored.map(({ code }) => code);
  };

  it('have scheduling gates', () => {
    expect(codeOf({ gated: true })).toEqual(['schedulingGated']);
    expect(codeOf({ scheduled: { status: 'False', reason: 'SchedulingGated' } })).toEqual([
      'schedulingGated',
    ]);
  });

  it('were not tried by the scheduler yet', () => {
    const { scheduled: _, ...untried } = pod('web');
    expect(decide({ pods: [untried] }).ignored.map(({ code }) => code)).toEqual([
      'notYetScheduled',
    ]);
    expect(codeOf({ scheduled: { status: 'False', reason: 'SchedulerError' } })).toEqual([
      'notYetScheduled',
    ]);
  });

  it('have a priority below the cut-off; at it they count', () => {
    expect(codeOf({ priority: -11 })).toEqual(['priorityBelowCutoff']);
    expect(raises({ pods: [pod('web', { priority: -10 })] })).toEqual([['workers-a', 0, 1]]);
  });

  it('do not include pods without any priority', () => {
    const { priority: _, ...unranked } = pod('web');
    expect(raises({ pods: [unranked], policy: { priorityCutoff: 5 } })).toEqual([
      ['workers-a', 0, 1],
    ]);
  });

  it('are being deleted', () => {
    expect(codeOf({ deletedAtMs: now })).toEqual(['terminating']);
  });

  it('belong to a DaemonSet', () => {
    expect(codeOf({ owner: { kind: 'DaemonSet', name: 'agent', uid: 'u' } })).toEqual([
      'daemonSetPod',
    ]);
  });

  it('have a node or have ended, and are not mentioned', () => {
    const decision = decide({
      pods: [boundPod('a', 'n'), pod('b', { phase: 'Failed' }), pod('c', { phase: 'Succeeded' })],
    });
    expect(decision).toMatchObject({ scaleUps: [], fits: [], stuck: [], ignored: [] });
  });

  it('demand what no filter judges yet, and are told which field', () => {
    const decision = decide({
      nodes: [node('a')],
      pods: [pod('web', { notJudged: ['topologySpreadConstraints', 'podAntiAffinity'] })],
    });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits).toEqual([]);
    expect(decision.stuck).toEqual([
      {
        pod: 'default/web',
        reasons: [
          {
            code: 'notJudged',
            message:
              'it demands podAntiAffinity, topologySpreadConstraints, which is not judged yet: no node is added for it',
          },
        ],
      },
    ]);
  });
});

describe('DaemonSets on new nodes', () => {
  it('take their room before any pod', () => {
    const parts = {
      daemonSets: [daemonSet('agent', { requests: cpuAndMemory(500) })],
      pods: pods(2, 'web', { requests: cpuAndMemory(900) }),
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
  });

  it('ask for what their newest live pod asks, as admission left it', () => {
    const owner = { kind: 'DaemonSet', name: 'agent', uid: 'uid-agent' };
    const parts = {
      daemonSets: [daemonSet('agent', { requests: {} })],
      pods: [
        boundPod('agent-old', 'a', { owner, requests: {}, createdAtMs: now - 9 * minute }),
        boundPod('agent-new', 'a', {
          owner,
          requests: cpuAndMemory(1000),
          createdAtMs: now - minute,
        }),
        pod('web'),
      ],
    };
    expect(raises(parts)).toEqual([]);
    expect(decide(parts).stuck[0]?.reasons).toEqual([
      {
        group: 'workers-a',
        code: 'insufficientResource',
        message: 'Insufficient cpu: needs 1, a new m5.large gives 1.93, of which DaemonSets take 1',
      },
    ]);
  });

  it('run on a tainted group if they tolerate everything, and not if they do not', () => {
    const taintedGroup = group('workers-a', {
      tags: { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'batch:NoSchedule' },
    });
    const tolerations = [{ operator: 'Exists' as const }];
    const fitted = (toleratesAll: boolean) =>
      raises({
        groups: [taintedGroup],
        daemonSets: [
          daemonSet('agent', {
            requests: cpuAndMemory(500),
            tolerations: toleratesAll ? tolerations : [],
          }),
        ],
        pods: pods(2, 'web', { requests: cpuAndMemory(900), tolerations }),
      });
    expect(fitted(true)).toEqual([['workers-a', 0, 2]]);
    expect(fitted(false)).toEqual([['workers-a', 0, 1]]);
  });

  it('hold their host ports: a pod with the same one gets no node, for ever', () => {
    const hostPorts = [{ protocol: 'TCP' as const, hostIp: '0.0.0.0', port: 9100 }];
    const parts = {
      daemonSets: [daemonSet('exporter', { hostPorts })],
      pods: [pod('web', { hostPorts })],
    };
    expect(raises(parts)).toEqual([]);
    expect(codes(parts, 'web')).toEqual([['workers-a', 'hostPort']]);
  });

  it('count towards the pods of a node', () => {
    const parts = {
      daemonSets: [daemonSet('agent', { requests: {} })],
      pods: pods(2, 'web', { requests: {} }),
      policy: { groups: [{ match: '*', kubelet: { maxPods: 2 } }] },
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
  });
});

describe('counting new nodes', () => {
  it('gives each pod with the same host port a node of its own', () => {
    const hostPorts = [{ protocol: 'TCP' as const, hostIp: '0.0.0.0', port: 80 }];
    expect(raises({ pods: pods(3, 'web', { requests: {}, hostPorts }) })).toEqual([
      ['workers-a', 0, 3],
    ]);
  });

  it('takes pods as a resource even where they ask for nothing', () => {
    expect(
      raises({
        daemonSets: [daemonSet('aws-node', { requests: {} })],
        pods: pods(57, 'tiny', { requests: {} }),
      }),
    ).toEqual([['workers-a', 0, 3]]);
  });

  it('knows the GPUs of the type from zero, for two pods as for one', () => {
    const parts = {
      groups: [group('gpu', { launchTemplate: { id: 'lt-g4', version: '1' } })],
      pods: pods(2, 'train', { requests: { cpu: 100, memory: MiB, 'nvidia.com/gpu': 1 } }),
    };
    expect(raises(parts)).toEqual([['gpu', 0, 2]]);
  });

  it('judges allocatable, not capacity: a pod of the size of the machine gets no useless node', () => {
    const parts = { pods: [pod('big', { requests: cpuAndMemory(2000) })] };
    expect(decide(parts)).toMatchObject({
      scaleUps: [],
      stuck: [
        {
          reasons: [{ message: 'Insufficient cpu: needs 2, a new m5.large gives 1.93' }],
        },
      ],
    });
  });

  it('packs large pods first, so that small ones fill the gaps', () => {
    const parts = {
      pods: [
        ...pods(2, 'small', { requests: cpuAndMemory(600), createdAtMs: now - 9 * minute }),
        ...pods(2, 'large', { requests: cpuAndMemory(1300) }),
      ],
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
  });

  it('does not add ten 0.1 CPU wrongly', () => {
    const parts = {
      pods: pods(10, 'tenth', { requests: { cpu: 100 } }),
      policy: {
        groups: [{ match: '*', resources: { cpu: 1000 } }],
      },
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });

  it('takes ephemeral storage from the root volume', () => {
    const parts = {
      pods: [pod('scratch', { requests: { 'ephemeral-storage': 18 * GiB } })],
      launchTemplates: [launchTemplate('lt-m5', { rootVolumeGiB: 50 })],
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
    const { rootVolumeGiB: _, ...silent } = launchTemplate('lt-m5');
    const [reason] = decide({ ...parts, launchTemplates: [silent] }).stuck[0]?.reasons ?? [];
    expect(reason?.message).toBe(
      'Insufficient ephemeral-storage: needs 18Gi, a new m5.large gives 17Gi (m5.large: no root volume in the launch template, 20 GiB taken)',
    );
  });

  it('never takes a PreferNoSchedule taint for a hard one', () => {
    const parts = {
      groups: [
        group('workers-a', {
          tags: { 'k8s.io/cluster-autoscaler/node-template/taint/spot': ':PreferNoSchedule' },
        }),
      ],
      pods: [pod('web')],
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });
});

describe('what a stuck pod is told of every group', () => {
  const parts = {
    groups: [
      group('b-tainted', {
        tags: { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'batch:NoSchedule' },
      }),
      group('a-small'),
      group('c-broken', { launchTemplate: { name: 'gone', version: '7' } }),
    ],
    pods: [pod('big', { requests: cpuAndMemory(8000) })],
  };

  it('is one reason for each, by group name', () => {
    expect(decide(parts).stuck).toEqual([
      {
        pod: 'default/big',
        reasons: [
          {
            group: 'a-small',
            code: 'insufficientResource',
            message: 'Insufficient cpu: needs 8, a new m5.large gives 1.93',
          },
          {
            group: 'b-tainted',
            code: 'untoleratedTaint',
            message: 'a new m5.large: the taint dedicated=batch:NoSchedule is not tolerated',
          },
          {
            group: 'c-broken',
            code: 'launchTemplateUnknown',
            message:
              'launch template gone version 7 is not among the input: add the output of aws ec2 describe-launch-template-versions for it',
          },
        ],
      },
    ]);
  });

  it('names the label that no new node has', () => {
    const [reason] =
      decide({ pods: [pod('web', { nodeSelector: { 'team.example.com/pool': 'red' } })] }).stuck[0]
        ?.reasons ?? [];
    expect(reason?.code).toBe('nodeSelector');
    expect(reason?.message).toContain('team.example.com/pool=red');
  });

  it('names the resource that no group declares, and the tag that would', () => {
    const [reason] =
      decide({ pods: [pod('web', { requests: { 'smarter-devices/fuse': 1 } })] }).stuck[0]
        ?.reasons ?? [];
    expect(reason?.code).toBe('insufficientResource');
    expect(reason?.message).toBe(
      'Insufficient smarter-devices/fuse: needs 1, a new m5.large has none; tag the group k8s.io/cluster-autoscaler/node-template/resources/smarter-devices/fuse if it does',
    );
  });

  it('is that there is no group at all', () => {
    expect(codes({ groups: [], pods: [pod('web')] }, 'web')).toEqual([[undefined, 'noGroups']]);
  });

  it('does not hold up the other pods and groups', () => {
    const mixed = { ...parts, pods: [...parts.pods, pod('web')] };
    expect(raises(mixed)).toEqual([['a-small', 0, 1]]);
  });
});

describe('groups in which AWS chooses', () => {
  const zonal = { 'topology.kubernetes.io/zone': 'us-east-1b' };
  const wide = group('wide', { zones: ['us-east-1a', 'us-east-1b'] });

  it('help no pod that needs one of their zones, and say what would', () => {
    const parts = { groups: [wide], pods: [pod('db', { nodeSelector: zonal })] };
    const [reason] = decide(parts).stuck[0]?.reasons ?? [];
    expect(reason?.code).toBe('zoneNotGuaranteed');
    expect(reason?.message).toContain('only us-east-1b would do');
    expect(reason?.message).toContain('use a group of one zone');
  });

  it('leave such a pod to the group of that zone', () => {
    const parts = {
      groups: [wide, group('only-b', { zones: ['us-east-1b'] })],
      pods: [pod('db', { nodeSelector: zonal })],
    };
    expect(raises(parts)).toEqual([['only-b', 0, 1]]);
  });

  it("help a pod that any of their zones suits, by the EBS driver's label too", () => {
    const parts = {
      groups: [wide],
      pods: [
        pod('db', {
          requiredNodeAffinity: [
            {
              matchFields: [],
              matchExpressions: [
                {
                  key: 'topology.ebs.csi.aws.com/zone',
                  operator: 'In',
                  values: ['us-east-1a', 'us-east-1b'],
                },
              ],
            },
          ],
        }),
      ],
    };
    expect(raises(parts)).toEqual([['wide', 0, 1]]);
  });

  it('help no pod that only their larger type could hold', () => {
    const parts = {
      groups: [group('mixed', { overrides: [override('m5.xlarge'), override('m5.large')] })],
      pods: [pod('big', { requests: cpuAndMemory(3000) })],
    };
    const [reason] = decide(parts).stuck[0]?.reasons ?? [];
    expect(reason?.code).toBe('instanceTypeNotGuaranteed');
    expect(reason?.message).toContain('only m5.xlarge would do');
  });

  it('count nodes by the smallest of their types', () => {
    const parts = {
      groups: [group('mixed', { overrides: [override('m5.xlarge'), override('m5.large')] })],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
    };
    expect(raises(parts)).toEqual([['mixed', 0, 3]]);
  });

  it('take each resource from the type that has least of it', () => {
    const parts = {
      groups: [group('mixed', { overrides: [override('many-cpus'), override('much-memory')] })],
      instanceTypes: [
        instanceType('many-cpus', { vcpu: 8, memoryMiB: 4096 }),
        instanceType('much-memory', { vcpu: 2, memoryMiB: 65536 }),
      ],
      pods: [pod('either', { requests: cpuAndMemory(1500, 2 * GiB) })],
    };
    expect(raises(parts)).toEqual([['mixed', 0, 1]]);
    expect(raises({ ...parts, pods: [pod('cpu', { requests: cpuAndMemory(3000) })] })).toEqual([]);
    expect(
      raises({ ...parts, pods: [pod('mem', { requests: cpuAndMemory(1, 9 * GiB) })] }),
    ).toEqual([]);
  });

  it('know the zone and type of an instance that is already starting', () => {
    const starting = instance('i-1', { zone: 'us-east-1b' });
    const parts = {
      groups: [{ ...wide, desired: 1, instances: [starting] }],
      pods: [pod('db', { nodeSelector: zonal })],
    };
    expect(decide(parts).fits).toEqual([
      { pod: 'default/db', node: 'group/wide/coming-1', group: 'wide' },
    ]);
  });
});

describe('the expander', () => {
  it('takes the group that wastes least', () => {
    const parts = {
      groups: [
        group('a-large', { launchTemplate: { id: 'lt-m5x', version: '1' } }),
        group('small'),
      ],
      pods: [pod('web', { requests: cpuAndMemory(1500, 4 * GiB) })],
    };
    expect(raises(parts)).toEqual([['small', 0, 1]]);
  });

  it('breaks a tie by the name and says so', () => {
    const parts = { groups: [group('b'), group('a')], pods: [pod('web')] };
    const [raise] = decide(parts).scaleUps;
    expect(raise?.group).toBe('a');
    expect(raise?.reason).toContain('level with b, taken for its name');
  });
});

describe('another scaler', () => {
  const lease = {
    namespace: 'kube-system',
    name: 'cluster-autoscaler',
    holder: 'ca-1',
    renewedAtMs: now - 20_000,
    durationSeconds: 15,
  };

  it('stops every raise while its lease is fresh, and the pods are told', () => {
    const parts = { leases: [lease], nodes: [node('a')], pods: pods(3, 'web') };
    const decision = decide(parts);
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits).toHaveLength(1);
    expect(decision.problems.map(({ code }) => code)).toEqual(['otherScaler']);
    expect(codes(parts, 'web-2')).toEqual([[undefined, 'otherScaler']]);
  });

  it("does not matter once its lease is stale, released, or not a scaler's", () => {
    for (const other of [
      { ...lease, renewedAtMs: now - 30_000 },
      { ...lease, holder: '' },
      { ...lease, name: 'kube-scheduler' },
    ]) {
      expect(raises({ leases: [other], pods: [pod('web')] })).toEqual([['workers-a', 0, 1]]);
    }
  });

  it('may be Karpenter', () => {
    const karpenter = { ...lease, name: 'karpenter-leader-election' };
    expect(raises({ leases: [karpenter], pods: [pod('web')] })).toEqual([]);
  });
});

describe('groups that cannot be planned', () => {
  it('are blocked one by one, and the rest is planned', () => {
    const decision = decide({
      groups: [
        group('bad-taint', {
          tags: { 'k8s.io/cluster-autoscaler/node-template/taint/x': 'NoSchedule' },
        }),
        group('good'),
      ],
      pods: [pod('web')],
    });
    expect(decision.scaleUps.map(({ group: name }) => name)).toEqual(['good']);
    expect(decision.blockedGroups.map(({ group: name, code }) => [name, code])).toEqual([
      ['bad-taint', 'malformedTaintTag'],
    ]);
    expect(decision.problems.map(({ code }) => code)).toEqual(['malformedTaintTag']);
  });
});

describe('policy of groups', () => {
  it('applies the first entry that matches, under the tags', () => {
    const parts = {
      groups: [
        group('team-red', {
          tags: { 'k8s.io/cluster-autoscaler/node-template/label/colour': 'red' },
        }),
      ],
      policy: {
        groups: [
          { match: 'team-*', labels: { colour: 'grey', size: 'small' } },
          { match: '*', labels: { size: 'large' } },
        ],
      },
    };
    const fits = (nodeSelector: Record<string, string>) =>
      raises({ ...parts, pods: [pod('web', { nodeSelector })] }).length === 1;
    expect(fits({ colour: 'red' })).toBe(true);
    expect(fits({ colour: 'grey' })).toBe(false);
    expect(fits({ size: 'small' })).toBe(true);
    expect(fits({ size: 'large' })).toBe(false);
  });

  it('gives taints and kubelet settings', () => {
    const taints = [{ key: 'dedicated', value: 'x', effect: 'NoExecute' as const }];
    expect(
      raises({ pods: [pod('web')], policy: { groups: [{ match: 'workers-?', taints }] } }),
    ).toEqual([['workers-a', 0, 1]]);
    expect(raises({ pods: [pod('web')], policy: { groups: [{ match: '*-a', taints }] } })).toEqual(
      [],
    );
    expect(
      raises({
        pods: pods(2, 'web', { requests: {} }),
        policy: { groups: [{ match: '*', kubelet: { maxPods: 1 } }] },
      }),
    ).toEqual([['workers-a', 0, 2]]);
  });
});

it('uses the larger of two types where both are in reach and the pod needs it', () => {
  const parts = {
    groups: [group('small'), group('large', { launchTemplate: { id: 'lt-m5x', version: '1' } })],
    instanceTypes: [m5large, m5xlarge],
    pods: [pod('big', { requests: cpuAndMemory(3500) })],
  };
  expect(raises(parts)).toEqual([['large', 0, 1]]);
});
