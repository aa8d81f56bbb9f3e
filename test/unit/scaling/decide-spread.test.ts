import { describe, expect, it } from 'vitest';
import type { PodAffinityTerm, TopologySpreadConstraint } from '#cluster/constraints.ts';
import { decide, raises } from '../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  group,
  instance,
  nodeOf,
  pods,
} from '../../helpers/scaling-builders.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const hostKey = 'kubernetes.io/hostname';
const web = { app: 'web' };
const selector = { matchLabels: web, matchExpressions: [] };

const spreadOver = (topologyKey: string, maxSkew = 1): TopologySpreadConstraint => ({
  topologyKey,
  maxSkew,
  whenUnsatisfiable: 'DoNotSchedule',
  selector,
  nodeAffinityPolicy: 'Honor',
  nodeTaintsPolicy: 'Ignore',
});
const apartBy = (topologyKey: string): PodAffinityTerm => ({
  topologyKey,
  namespaces: ['default'],
  selector,
});

const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;
const zonal = zones.map((zone) => group(`workers-${zone.at(-1)}`, { zones: [zone] }));

const nodesOf = (scaleUps: readonly { readonly from: number; readonly to: number }[]): number =>
  scaleUps.reduce((sum, { from, to }) => sum + to - from, 0);

/** A Ready node of a group in a zone, and the instance behind it. */
const runningIn = (zone: string) => {
  const one = instance(`i-${zone.at(-1)}`, { zone });
  const labels = { [hostKey]: `node-${one.id}`, [zoneKey]: zone };
  return { instance: one, node: nodeOf(one, { labels }) };
};

describe('pods that spread over zones', () => {
  const spread = { labels: web, topologySpread: [spreadOver(zoneKey)] };

  it('get a node in each zone in one decision, and no more than they fill', () => {
    const parts = {
      groups: zonal,
      pods: pods(6, 'web', { ...spread, requests: cpuAndMemory(900) }),
    };
    expect(raises(parts)).toEqual([
      ['workers-a', 0, 1],
      ['workers-b', 0, 1],
      ['workers-c', 0, 1],
    ]);
  });

  it.each([8, 9, 10, 11])(
    'get nodes in every zone that a group is in, %i pods as evenly as they must',
    (count) => {
      const parts = {
        groups: zonal,
        pods: pods(count, 'web', { ...spread, requests: cpuAndMemory(900) }),
      };
      const { scaleUps, stuck } = decide(parts);
      expect(stuck).toEqual([]);
      expect(nodesOf(scaleUps)).toBe(count === 8 ? 5 : 6);
      expect(scaleUps.map(({ to }) => to).sort()).toEqual([count === 8 ? 1 : 2, 2, 2]);
      for (const { pods: own } of scaleUps) {
        expect(own.length).toBeGreaterThanOrEqual(Math.floor(count / 3));
        expect(own.length).toBeLessThanOrEqual(Math.ceil(count / 3));
      }
    },
  );

  it('get nodes in every zone that has one already, as evenly as they must', () => {
    const here = zones.map(runningIn);
    const groups = here.map(({ instance: one }, index) =>
      group(zonal[index]?.name ?? '', { zones: [one.zone], desired: 1, instances: [one] }),
    );
    const full = here.map(({ node }, index) =>
      boundPod(`old-${index}`, node.name, { requests: cpuAndMemory(1900) }),
    );
    const parts = {
      groups,
      nodes: here.map(({ node }) => node),
      pods: [...full, ...pods(9, 'web', { ...spread, requests: cpuAndMemory(600) })],
    };
    expect(raises(parts)).toEqual([
      ['workers-a', 1, 2],
      ['workers-b', 1, 2],
      ['workers-c', 1, 2],
    ]);
  });

  it('get a node of a group of several zones whose balance brings the zone they lack', () => {
    const here = [runningIn('us-east-1a'), runningIn('us-east-1b')];
    const wide = group('wide', {
      zones: [...zones],
      desired: 2,
      instances: here.map(({ instance: one }) => one),
    });
    const full = here.map(({ node }, index) =>
      boundPod(`old-${index}`, node.name, { labels: web, requests: cpuAndMemory(1900) }),
    );
    const parts = {
      groups: [wide],
      nodes: here.map(({ node }) => node),
      pods: [...full, ...pods(1, 'web', spread)],
    };
    expect(raises(parts)).toEqual([['wide', 2, 3]]);
  });
});

describe('pods that keep apart', () => {
  it('get a node each, all in one decision, by host', () => {
    const apart = {
      labels: web,
      requests: cpuAndMemory(100),
      podAntiAffinity: { required: [apartBy(hostKey)], preferred: [] },
    };
    expect(raises({ pods: pods(7, 'web', apart) })).toEqual([['workers-a', 0, 7]]);
  });

  it('are not planned again on other groups once the best one takes them', () => {
    const apart = {
      labels: web,
      podAntiAffinity: { required: [apartBy(hostKey)], preferred: [] },
    };
    const groups = [group('best', { max: 2 }), group('other'), group('third')];
    const { scaleUps, stuck } = decide({ groups, pods: pods(3, 'web', apart) });
    expect(stuck).toEqual([]);
    expect(nodesOf(scaleUps)).toBe(3);
  });

  it('by zone get a node of the zone that has none of them yet', () => {
    const here = runningIn('us-east-1a');
    const wide = group('wide', {
      zones: ['us-east-1a', 'us-east-1b'],
      desired: 1,
      instances: [here.instance],
    });
    const apart = {
      labels: web,
      podAntiAffinity: { required: [apartBy(zoneKey)], preferred: [] },
    };
    const parts = {
      groups: [wide],
      nodes: [here.node],
      pods: [boundPod('old', here.node.name, { labels: web }), ...pods(1, 'web', apart)],
    };
    expect(raises(parts)).toEqual([['wide', 1, 2]]);
  });
});
