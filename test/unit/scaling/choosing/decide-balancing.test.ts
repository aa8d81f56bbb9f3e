import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOut } from '#scaling/choosing/share-out.ts';
import { unlikeGroups } from '#scaling/choosing/unlike-groups.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { decide, raises } from '../../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  GiB,
  group,
  instance,
  launchTemplate,
  nodeOf,
  pods,
  scaleUpInput,
} from '../../../helpers/scaling-builders.ts';

const wide = { requests: cpuAndMemory(1500) };
const zonal = (zone: string, over: Parameters<typeof group>[1] = {}) =>
  group(`workers-${zone}`, { zones: [`us-east-1${zone}`], ...over });
const three = [zonal('a'), zonal('b'), zonal('c')];
const labelTag = (key: string) => `k8s.io/cluster-autoscaler/node-template/label/${key}`;

describe('similar groups', () => {
  it('get even shares of the nodes of one raise, and the reason says so', () => {
    const parts = { groups: three, pods: pods(7, 'web', wide) };
    expect(raises(parts)).toEqual([
      ['workers-a', 0, 3],
      ['workers-b', 0, 2],
      ['workers-c', 0, 2],
    ]);
    for (const { reason } of decide(parts).scaleUps) {
      expect(reason).toContain('shared out evenly among workers-a, workers-b, workers-c');
    }
  });

  it('become even in size, not in growth: a single node goes to the smallest', () => {
    const there = ['i-1', 'i-2', 'i-3'].map((id) => instance(id));
    const one = instance('i-4', { zone: 'us-east-1b' });
    const all = [...there, one];
    const parts = {
      groups: [
        zonal('a', { desired: 3, instances: there }),
        zonal('b', { desired: 1, instances: [one] }),
      ],
      nodes: all.map((each) => nodeOf(each)),
      pods: [
        ...all.map(({ id }) => boundPod(`old-${id}`, `node-${id}`, wide)),
        ...pods(1, 'web', wide),
      ],
    };
    expect(raises(parts)).toEqual([['workers-b', 1, 2]]);
    expect(raises({ ...parts, pods: [...parts.pods, ...pods(3, 'more', wide)] })).toEqual([
      ['workers-a', 3, 4],
      ['workers-b', 1, 4],
    ]);
  });

  it('leave to the others what is beyond their maximum', () => {
    const groups = [zonal('a', { max: 1 }), zonal('b'), zonal('c', { max: 2 })];
    expect(raises({ groups, pods: pods(8, 'web', wide) })).toEqual([
      ['workers-a', 0, 1],
      ['workers-b', 0, 5],
      ['workers-c', 0, 2],
    ]);
  });

  it('are not balanced where the policy does not want it', () => {
    const policy = { balanceSimilarGroups: false };
    expect(raises({ groups: three, pods: pods(3, 'web', wide), policy })).toEqual([
      ['workers-a', 0, 3],
    ]);
  });

  it('are not those whose labels differ, but for labels that may', () => {
    const parts = {
      groups: [
        zonal('a', { tags: { [labelTag('rack')]: '1', [labelTag('lifecycle')]: 'spot' } }),
        zonal('b', { tags: { [labelTag('rack')]: '2' } }),
      ],
      pods: pods(4, 'web', wide),
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 4]]);
    expect(raises({ ...parts, policy: { balancingIgnoreLabels: ['rack'] } })).toHaveLength(2);
  });

  it('are not those whose taints or machines differ', () => {
    const tainted = {
      tags: { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'x:NoSchedule' },
    };
    const larger = { launchTemplate: { id: 'lt-m5x', version: '$Latest' } };
    const tolerations = [{ operator: 'Exists' as const }];
    for (const over of [tainted, larger]) {
      const groups = [zonal('a'), zonal('b', over)];
      expect(raises({ groups, pods: pods(4, 'web', { ...wide, tolerations }) })).toHaveLength(1);
    }
  });

  it('of another priority or price are not balanced with it', () => {
    const parts = {
      groups: three,
      pods: pods(4, 'web', wide),
      configMaps: [
        {
          namespace: 'kube-system',
          name: 'cluster-autoscaler-priority-expander',
          data: { priorities: '9: ["workers-[bc]"]\n1: [".*"]' },
        },
      ],
      policy: { expander: ['priority'] } as const,
    };
    expect(raises(parts)).toEqual([
      ['workers-b', 0, 2],
      ['workers-c', 0, 2],
    ]);
  });

  it('get no share of pods that they cannot take', () => {
    const nodeSelector = { 'topology.kubernetes.io/zone': 'us-east-1b' };
    expect(raises({ groups: three, pods: pods(4, 'web', { ...wide, nodeSelector }) })).toEqual([
      ['workers-b', 0, 4],
    ]);
  });
});

describe('shares of nodes', () => {
  it('leave sizes as even as room allows, for any sizes', () => {
    const sharers = fc
      .array(fc.record({ size: fc.nat(12), room: fc.nat(12) }), { minLength: 1, maxLength: 6 })
      .map((all) => all.map((one, index) => ({ group: `g${index}`, ...one })));
    fc.assert(
      fc.property(sharers, fc.nat(40), (groups, nodes) => {
        const order = shareOut(nodes, groups);
        const room = groups.reduce((sum, one) => sum + one.room, 0);
        expect(order).toHaveLength(Math.min(nodes, room));
        const got = (name: string) => order.filter((one) => one === name).length;
        for (const a of groups) {
          expect(got(a.group)).toBeLessThanOrEqual(a.room);
          for (const b of groups) {
            // Whoever got one was not larger by then than any that had room left.
            if (got(a.group) > 0 && got(b.group) < b.room) {
              expect(a.size + got(a.group) - 1).toBeLessThanOrEqual(b.size + got(b.group));
            }
          }
        }
      }),
    );
  });
});

describe('zones in one decision', () => {
  const spread = {
    topologySpread: [
      {
        topologyKey: 'topology.kubernetes.io/zone',
        maxSkew: 1,
        minDomains: 3,
        whenUnsatisfiable: 'DoNotSchedule' as const,
        selector: { matchLabels: { app: 'web' }, matchExpressions: [] },
        nodeAffinityPolicy: 'Honor' as const,
        nodeTaintsPolicy: 'Ignore' as const,
      },
    ],
    labels: { app: 'web' },
    ...wide,
  };

  it.each([[true], [false]])(
    'are raised all together for pods that spread over them (balancing: %s)',
    (balanceSimilarGroups) => {
      const parts = {
        groups: three,
        pods: pods(6, 'web', spread),
        policy: { balanceSimilarGroups },
      };
      expect(raises(parts)).toEqual([
        ['workers-a', 0, 2],
        ['workers-b', 0, 2],
        ['workers-c', 0, 2],
      ]);
      expect(decide(parts).stuck).toEqual([]);
    },
  );

  it('are raised each for the pods whose zone it is', () => {
    const inZone = (zone: string, count: number) =>
      pods(count, `web-${zone}`, {
        ...wide,
        nodeSelector: { 'topology.kubernetes.io/zone': `us-east-1${zone}` },
      });
    expect(raises({ groups: three, pods: [...inZone('a', 1), ...inZone('c', 2)] })).toEqual([
      ['workers-a', 0, 1],
      ['workers-c', 0, 2],
    ]);
  });
});

describe('why a group of the same type is not balanced with another', () => {
  const of = (over: Parameters<typeof group>[1], policy: Partial<ScalingPolicy> = {}) =>
    unlikeGroups(
      scaleUpInput({ groups: [zonal('a'), zonal('b', over)], pods: pods(1, 'web', wide), policy }),
      'workers-a',
    );

  it('is told with the label that differs', () => {
    const tags = { [labelTag('rack')]: '2' };
    expect(of({ tags })).toEqual([
      'workers-b has the same instance types as workers-a and is not balanced with it: its nodes have the label rack=2, those no label rack; scaling.balancingIgnoreLabels names labels that may differ',
    ]);
    expect(of({ tags }, { balancingIgnoreLabels: ['rack'] })).toEqual([]);
    expect(of({ tags }, { balanceSimilarGroups: false })).toEqual([]);
  });

  it('is told with taints, and with amounts', () => {
    const template = 'k8s.io/cluster-autoscaler/node-template';
    expect(of({ tags: { [`${template}/taint/dedicated`]: 'x:NoSchedule' } })).toEqual([
      expect.stringContaining('its nodes have dedicated=x:NoSchedule, those none'),
    ]);
    expect(of({ tags: { [`${template}/resources/cpu`]: '1500m' } })).toEqual([
      expect.stringContaining('differs by more than 5 % (cpu)'),
    ]);
  });

  it('is not told of groups that are alike, or of another type', () => {
    expect(of({})).toEqual([]);
    expect(of({ launchTemplate: { id: 'lt-m5x', version: '$Latest' } })).toEqual([]);
  });
});

describe('groups of one type and image of which only one has a node', () => {
  const running = instance('i-1', { launchTemplate: { id: 'lt-m5', version: '1' } });
  const groups = [zonal('a', { desired: 1, instances: [running] }), zonal('b')];
  const imageOf = (imageId: string) => [launchTemplate('lt-m5', { imageId })];
  /** Its kubelet keeps back far more than would be computed. */
  const small = nodeOf(running, {
    allocatable: { cpu: 1600, memory: 5 * GiB, 'ephemeral-storage': 17 * GiB, pods: 29 },
  });
  const parts = {
    groups,
    launchTemplates: imageOf('ami-1'),
    nodes: [small],
    pods: [boundPod('old', small.name, wide), ...pods(5, 'web', wide)],
  };
  const observed = (of: typeof parts) => observeLedger(scaleUpInput(of)).entries;

  it('are alike: what the node showed counts for both', () => {
    expect(raises({ ...parts, ledger: observed(parts) })).toEqual([
      ['workers-a', 1, 3],
      ['workers-b', 0, 3],
    ]);
  });

  it('are not where the image is not known to be the same', () => {
    const other = { ...parts, launchTemplates: [launchTemplate('lt-m5')] };
    expect(raises({ ...other, ledger: observed(other) })).toHaveLength(1);
  });
});
