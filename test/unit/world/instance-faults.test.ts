import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#world/world.ts';
import {
  constraints,
  exactly,
  startMs,
  worldGroup,
  worldSpec,
  worldWorkload,
} from '../../helpers/world-spec.ts';

const lapse = (world: World, seconds: number): World => {
  world.advanceTo(world.nowMs() + seconds * 1000);
  return world;
};

const first = { first: 1, perMille: 0 };

const kinds = (world: World) =>
  world.takeHappenings().map(({ kind, atMs }) => [kind, (atMs - startMs) / 1000]);

describe('an instance that never becomes Ready', () => {
  it('stays a Node with its taint, and is told when it should have been Ready', () => {
    const world = createWorld(worldSpec({ groups: [worldGroup({ neverReady: first })] }));
    world.setDesiredCapacity('general', 1);
    lapse(world, 3600);
    expect(kinds(world)).toContainEqual(['nodeNotReady', 50]);
    expect(world.cluster().nodes[0]).toMatchObject({
      ready: 'False',
      taints: [{ key: 'node.kubernetes.io/not-ready' }],
    });
    expect(world.figures().nodes).toMatchObject({ added: 0, failed: 1, ready: 0 });
  });
});

describe('the devices of an instance', () => {
  const gpu = (over: object) =>
    createWorld(
      worldSpec({
        groups: [worldGroup({ instanceTypes: ['g4dn.xlarge'], ...over })],
        workloads: [
          worldWorkload({ constraints: constraints({ requests: { 'nvidia.com/gpu': 1 } }) }),
        ],
      }),
    );
  const amount = (world: World) => world.cluster().nodes[0]?.allocatable['nvidia.com/gpu'];
  const phase = (world: World) => world.cluster().pods[0]?.phase;

  it('are there as soon as its Node, unless the scenario says otherwise', () => {
    const world = gpu({});
    world.setDesiredCapacity('general', 1);
    expect(amount(lapse(world, 43))).toBe(1);
    expect(phase(lapse(world, 20))).toBe('Running');
  });

  it('appear late where they take their time, and pods wait for them', () => {
    const world = gpu({ devices: exactly(100) });
    world.setDesiredCapacity('general', 1);
    lapse(world, 149);
    expect([amount(world), phase(world)]).toEqual([undefined, 'Pending']);
    lapse(world, 5);
    expect([amount(world), phase(world)]).toEqual([1, 'Running']);
    expect(kinds(world)).toContainEqual(['devicesAppeared', 150]);
  });

  it('never appear on one that lacks them for good', () => {
    const world = gpu({ neverDevices: first });
    world.setDesiredCapacity('general', 1);
    lapse(world, 3600);
    expect(world.cluster().nodes[0]?.ready).toBe('True');
    expect([amount(world), phase(world)]).toEqual([undefined, 'Pending']);
    expect(kinds(world)).toContainEqual(['devicesMissing', 50]);
    expect(world.figures().nodes.failed).toBe(1);
  });
});

describe('an instance that shuts down while it boots', () => {
  it('is replaced, again and again where the group is broken', () => {
    const world = createWorld(
      worldSpec({ groups: [worldGroup({ crashes: { first: 0, perMille: 1000 } })] }),
    );
    world.setDesiredCapacity('general', 1);
    lapse(world, 600);
    const instances = world.groups().groups[0]?.instances ?? [];
    expect(instances.filter((one) => one.lifecycleState !== 'Terminating')).toHaveLength(1);
    expect(world.cluster().nodes).toEqual([]);
    expect(world.launches('general').length).toBeGreaterThan(10);
  });

  it('loses nothing where only the first one did', () => {
    const world = createWorld(worldSpec({ groups: [worldGroup({ crashes: first })] }));
    world.setDesiredCapacity('general', 2);
    lapse(world, 200);
    expect(world.figures().nodes).toMatchObject({ added: 2, removed: 0, failed: 1 });
  });
});

describe('a node that is terminated', () => {
  it('takes its pods along, and their controllers make others', () => {
    const group = worldGroup({ desired: 1, runningProtected: false });
    const world = createWorld(
      worldSpec({ groups: [group], workloads: [worldWorkload({ replicas: 2 })] }),
    );
    lapse(world, 10);
    world.setDesiredCapacity('general', 0);
    lapse(world, 10);
    const pods = world.cluster().pods.map(({ name, phase, nodeName }) => [name, phase, nodeName]);
    expect(pods).toEqual([
      ['web-3', 'Pending', undefined],
      ['web-4', 'Pending', undefined],
    ]);
    expect(world.figures().pods).toEqual({ total: 2, placed: 0, lost: 2 });
    expect(kinds(world).map(([kind]) => kind)).toContain('podsLost');
  });

  it('ends a pod that was about to run or to finish', () => {
    const group = worldGroup({ desired: 1, runningProtected: false });
    const workload = worldWorkload({ start: exactly(30), runsFor: exactly(30) });
    const world = createWorld(worldSpec({ groups: [group], workloads: [workload] }));
    lapse(world, 10);
    world.setDesiredCapacity('general', 0);
    lapse(world, 600);
    expect(kinds(world).map(([kind]) => kind)).not.toContain('podRunning');
  });
});

describe('a Node on an instance of another cluster', () => {
  it('is Ready, and the account knows whose the instance is', () => {
    const foreign = { group: 'workers', cluster: 'other', zone: 'us-east-1a' };
    const world = createWorld(
      worldSpec({ foreignNodes: [{ instance: 'i-0abc', instanceType: 'm5.large', ...foreign }] }),
    );
    expect(world.cluster().nodes[0]).toMatchObject({
      ready: 'True',
      providerId: 'aws:///us-east-1a/i-0abc',
    });
    expect(world.foreign(['i-0abc', 'i-0def'])).toEqual([
      { id: 'i-0abc', group: 'workers', cluster: 'other' },
    ]);
    expect(world.groups().groups[0]?.instances).toEqual([]);
  });
});
