import { describe, expect, it } from 'vitest';
import type { Happening } from '#world/happening.ts';
import { createWorld, type World } from '#world/world.ts';
import { startMs, worldGroup, worldSpec } from '../../helpers/world-spec.ts';

const runFor = (world: World, seconds: number): readonly Happening[] => {
  world.advanceTo(world.nowMs() + seconds * 1000);
  return world.takeHappenings();
};

const kinds = (happenings: readonly Happening[]) =>
  happenings.map(({ kind, atMs }) => [kind, atMs - startMs]);

describe('a group that is raised', () => {
  it('launches, boots, registers and becomes Ready in its own time', () => {
    const world = createWorld(worldSpec());
    expect(world.setDesiredCapacity('general', 1)).toBe('done');
    expect(kinds(runFor(world, 60))).toEqual([
      ['desiredChanged', 0],
      ['instanceLaunched', 2_000],
      ['nodeRegistered', 42_000],
      ['nodeReady', 50_000],
    ]);
  });

  it('shows the instance as Pending, then InService, and its Node as not ready, then Ready', () => {
    const world = createWorld(worldSpec());
    world.setDesiredCapacity('general', 1);
    const states = () => world.groups().groups[0]?.instances.map((one) => one.lifecycleState);
    const nodes = () => world.cluster().nodes.map(({ ready, taints }) => [ready, taints.length]);
    runFor(world, 3);
    expect([states(), nodes()]).toEqual([['Pending'], []]);
    runFor(world, 40);
    expect([states(), nodes()]).toEqual([['InService'], [['False', 1]]]);
    runFor(world, 10);
    expect([states(), nodes()]).toEqual([['InService'], [['True', 0]]]);
  });

  it('names the instance in its Node', () => {
    const world = createWorld(worldSpec());
    world.setDesiredCapacity('general', 1);
    runFor(world, 60);
    const [instance] = world.groups().groups[0]?.instances ?? [];
    expect(world.cluster().nodes[0]?.providerId).toBe(`aws:///us-east-1a/${instance?.id}`);
    expect(instance?.id).toMatch(/^i-0[0-9a-f]{16}$/);
  });

  it('spreads instances over its zones', () => {
    const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
    const world = createWorld(worldSpec({ groups: [worldGroup({ zones })] }));
    world.setDesiredCapacity('general', 6);
    runFor(world, 5);
    const counts = Map.groupBy(world.groups().groups[0]?.instances ?? [], ({ zone }) => zone);
    expect(zones.map((zone) => counts.get(zone)?.length)).toEqual([2, 2, 2]);
  });

  it('refuses what lies outside its bounds, and knows no other group', () => {
    const world = createWorld(worldSpec({ groups: [worldGroup({ min: 1, desired: 1, max: 3 })] }));
    expect(world.setDesiredCapacity('general', 4)).toBe('outOfBounds');
    expect(world.setDesiredCapacity('general', 0)).toBe('outOfBounds');
    expect(world.setDesiredCapacity('general', 1.5)).toBe('outOfBounds');
    expect(world.setDesiredCapacity('other', 1)).toBe('noSuchGroup');
    expect(world.group('general')).toMatchObject({ min: 1, max: 3, desired: 1 });
  });

  it('launches nothing while Launch is suspended', () => {
    const group = worldGroup({ suspendedProcesses: ['Launch'] });
    const world = createWorld(worldSpec({ groups: [group] }));
    world.setDesiredCapacity('general', 1);
    expect(kinds(runFor(world, 3600))).toEqual([['desiredChanged', 0]]);
  });

  it('launches once for two raises in short order', () => {
    const world = createWorld(worldSpec());
    world.setDesiredCapacity('general', 1);
    runFor(world, 1);
    world.setDesiredCapacity('general', 3);
    const launched = runFor(world, 60).filter(({ kind }) => kind === 'instanceLaunched');
    expect(launched.map(({ atMs }) => atMs - startMs)).toEqual([3_000, 3_000, 3_000]);
    expect(world.figures().nodes.added).toBe(3);
  });
});

describe('EC2 short of capacity', () => {
  const shortFor = (over: object) =>
    createWorld(worldSpec({ shortages: [{ fromMs: 0, untilMs: 100_000, ...over }] }));

  it('fails the launch, and Auto Scaling tries again until there is capacity', () => {
    const world = shortFor({});
    world.setDesiredCapacity('general', 2);
    const happened = runFor(world, 400);
    expect(kinds(happened.filter(({ kind }) => kind !== 'desiredChanged')).slice(0, 4)).toEqual([
      ['launchFailed', 2_000],
      ['launchFailed', 62_000],
      ['instanceLaunched', 182_000],
      ['instanceLaunched', 182_000],
    ]);
    expect(world.figures().nodes).toMatchObject({ added: 2, failed: 4 });
  });

  it('is over at the very moment that is given', () => {
    const world = shortFor({ untilMs: 62_000 });
    world.setDesiredCapacity('general', 1);
    const launched = runFor(world, 100).find(({ kind }) => kind === 'instanceLaunched');
    expect(launched?.atMs).toBe(startMs + 62_000);
  });

  it('falls to the next type of the group, then to the next zone', () => {
    const zones = ['us-east-1a', 'us-east-1b'];
    const groups = [worldGroup({ zones, instanceTypes: ['m5.large', 'm6i.large'] })];
    const place = (shortages: Parameters<typeof worldSpec>[0]) => {
      const world = createWorld(worldSpec({ groups, ...shortages }));
      world.setDesiredCapacity('general', 1);
      runFor(world, 5);
      return world.groups().groups[0]?.instances.map(({ zone, type }) => `${zone} ${type}`);
    };
    const short = { zone: 'us-east-1a', fromMs: 0 };
    expect(place({})).toEqual(['us-east-1a m5.large']);
    expect(place({ shortages: [{ ...short, instanceType: 'm5.large' }] })).toEqual([
      'us-east-1a m6i.large',
    ]);
    expect(place({ shortages: [short] })).toEqual(['us-east-1b m5.large']);
  });

  it('ends after so many launches where the shortage is counted', () => {
    const world = shortFor({ launches: 2 });
    world.setDesiredCapacity('general', 3);
    runFor(world, 5);
    expect(world.groups().groups[0]?.instances).toHaveLength(1);
    expect(world.figures().nodes.failed).toBe(2);
    runFor(world, 120);
    expect(world.groups().groups[0]?.instances).toHaveLength(3);
  });

  it('leaves other groups alone', () => {
    const groups = [worldGroup(), worldGroup({ name: 'other' })];
    const shortages = [{ group: 'general', fromMs: 0 }];
    const world = createWorld(worldSpec({ groups, shortages }));
    world.setDesiredCapacity('other', 1);
    runFor(world, 60);
    expect(world.figures().nodes).toMatchObject({ added: 1, failed: 0 });
  });
});

describe('an instance that never becomes a Node', () => {
  it('runs, costs, and is told when it should have registered', () => {
    const group = worldGroup({ neverRegister: { first: 1, perMille: 0 } });
    const world = createWorld(worldSpec({ groups: [group] }));
    world.setDesiredCapacity('general', 2);
    const missing = runFor(world, 3602).filter(({ kind }) => kind === 'nodeMissing');
    expect(kinds(missing)).toEqual([['nodeMissing', 42_000]]);
    expect(world.cluster().nodes).toHaveLength(1);
    expect(world.figures()).toMatchObject({
      nodes: { added: 1, failed: 1 },
      microDollars: 2 * 96_000,
      microDollarsPerHour: 2 * 96_000,
    });
  });

  it('is every one of them at a share of 1000 per mille', () => {
    const group = worldGroup({ neverRegister: { first: 0, perMille: 1000 } });
    const world = createWorld(worldSpec({ groups: [group] }));
    world.setDesiredCapacity('general', 5);
    runFor(world, 3600);
    expect(world.figures().nodes).toMatchObject({ added: 0, failed: 5 });
  });
});

describe('a group with weights', () => {
  const weighted = (desired: number) =>
    createWorld(
      worldSpec({ groups: [worldGroup({ desired, weights: { 'm5.large': 4 }, max: 40 })] }),
    );
  const weights = (world: World) =>
    world.group('general')?.instances.map(({ weight, lifecycleState }) => [weight, lifecycleState]);

  it('launches until its units are there, even for a part of a node', () => {
    const world = weighted(0);
    world.setDesiredCapacity('general', 5);
    runFor(world, 3);
    expect(weights(world)).toEqual([
      [4, 'Pending'],
      [4, 'Pending'],
    ]);
  });

  it('begins with the instances that its units need', () => {
    expect(weights(weighted(8))).toEqual([
      [4, 'InService'],
      [4, 'InService'],
    ]);
  });

  it('loses no instance whose units are still desired', () => {
    const parts = { desired: 8, weights: { 'm5.large': 4 }, max: 40, runningProtected: false };
    const world = createWorld(worldSpec({ groups: [worldGroup(parts)] }));
    world.setDesiredCapacity('general', 5);
    expect(weights(world)?.map(([, state]) => state)).toEqual(['InService', 'InService']);
    world.setDesiredCapacity('general', 4);
    expect(weights(world)?.map(([, state]) => state)).toEqual(['Terminating', 'InService']);
  });
});
