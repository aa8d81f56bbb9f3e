import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWorld } from '#world/world.ts';
import { startMs, worldGroup, worldSpec, worldWorkload } from '../../helpers/world-spec.ts';

const varied = (seed: number) =>
  worldSpec({
    seed,
    groups: [
      worldGroup({
        zones: ['us-east-1a', 'us-east-1b'],
        boot: { fromMs: 20_000, toMs: 90_000 },
        neverRegister: { first: 0, perMille: 200 },
      }),
    ],
    workloads: [
      worldWorkload({ replicas: 8, everyMs: 700, start: { fromMs: 500, toMs: 4_000 } }),
      worldWorkload({ name: 'job', replicas: 4, runsFor: { fromMs: 10_000, toMs: 60_000 } }),
    ],
  });

const playOut = (seed: number) => {
  const world = createWorld(varied(seed));
  world.advanceTo(startMs + 5_000);
  world.setDesiredCapacity('general', 6);
  world.advanceTo(startMs + 600_000);
  return {
    happenings: world.takeHappenings(),
    cluster: world.cluster(),
    groups: world.groups(),
    figures: world.figures(),
  };
};

describe('a world', () => {
  it('is the same for the same seed, and another for another', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(playOut(seed)).toEqual(playOut(seed));
      }),
      { numRuns: 20 },
    );
    expect(playOut(1).happenings).not.toEqual(playOut(2).happenings);
  });

  it('never puts more on a node than it can allocate', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { cluster } = playOut(seed);
        const bound = cluster.pods.filter((pod) => pod.nodeName && pod.phase !== 'Succeeded');
        expect(bound.length).toBeGreaterThan(0);
        for (const node of cluster.nodes) {
          const here = bound.filter((pod) => pod.nodeName === node.name);
          const cpu = here.reduce((sum, pod) => sum + (pod.requests.cpu ?? 0), 0);
          expect(cpu).toBeLessThanOrEqual(node.allocatable.cpu ?? 0);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('tells happenings in order of time', () => {
    const times = playOut(3).happenings.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.length).toBeGreaterThan(20);
  });

  it('shows groups with the tags that Cluster Autoscaler reads', () => {
    const group = worldGroup({
      labels: { role: 'batch' },
      taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }],
      tags: { team: 'data' },
    });
    const world = createWorld(worldSpec({ groups: [group] }));
    expect(world.groups().groups[0]?.tags).toEqual({
      'k8s.io/cluster-autoscaler/enabled': 'true',
      'k8s.io/cluster-autoscaler/demo': 'owned',
      'k8s.io/cluster-autoscaler/node-template/label/role': 'batch',
      'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'batch:NoSchedule',
      team: 'data',
    });
  });

  it('answers lists with what it was a while ago, where reads are stale', () => {
    const lag = { hintMs: 0, hintsLost: false, clusterStaleMs: 5_000, groupsStaleMs: 3_000 };
    const world = createWorld(worldSpec({ lag, workloads: [worldWorkload({ atMs: 1_000 })] }));
    expect(world.cluster().pods).toHaveLength(0);
    expect(world.groups().groups[0]?.desired).toBe(0);
    world.setDesiredCapacity('general', 1);
    world.advanceTo(startMs + 2_999);
    expect([world.cluster().pods.length, world.groups().groups[0]?.desired]).toEqual([0, 0]);
    expect(world.group('general')?.desired).toBe(1);
    world.advanceTo(startMs + 3_000);
    expect([world.cluster().pods.length, world.groups().groups[0]?.desired]).toEqual([0, 1]);
    world.advanceTo(startMs + 5_000);
    expect(world.cluster().pods).toHaveLength(1);
  });

  it('counts calls, and refuses those beyond the limit of each window', () => {
    const throttles = [{ call: 'setDesiredCapacity' as const, limit: 2, perMs: 10_000 }];
    const world = createWorld(worldSpec({ throttles }));
    const three = () => [1, 2, 3].map(() => world.admit('setDesiredCapacity'));
    expect(three()).toEqual([true, true, false]);
    expect(world.admit('describeGroups')).toBe(true);
    world.advanceTo(startMs + 10_000);
    expect(three()).toEqual([true, true, false]);
    expect(world.apiCalls()).toMatchObject({ setDesiredCapacity: 6, describeGroups: 1 });
  });

  it('hears the same word on a pod once', () => {
    const world = createWorld(worldSpec({ workloads: [worldWorkload()] }));
    world.advanceTo(startMs + 1);
    const podUid = world.cluster().pods[0]?.uid ?? '';
    const note = { namespace: 'shop', pod: 'web-1', podUid, type: 'Normal', reason: 'R' } as const;
    expect(world.postPodNote({ ...note, message: 'a' })).toBe(true);
    expect(world.postPodNote({ ...note, message: 'a' })).toBe(true);
    expect(world.postPodNote({ ...note, message: 'b' })).toBe(true);
    expect(world.podNotes().map(({ message }) => message)).toEqual(['a', 'b']);
    expect(world.postPodNote({ ...note, podUid: 'another', message: 'a' })).toBe(false);
  });
});
