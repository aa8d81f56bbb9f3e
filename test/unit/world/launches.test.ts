import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '#world/world.ts';
import { exactly, startMs, worldGroup, worldSpec } from '../../helpers/world-spec.ts';

const lapse = (world: World, seconds: number): World => {
  world.advanceTo(world.nowMs() + seconds * 1000);
  return world;
};

const told = (world: World) =>
  world.launches('general').map(({ startMs: atMs, status }) => [status, (atMs - startMs) / 1000]);

describe('launches as scaling activities', () => {
  it('are under way until the instance is in service, and then have succeeded', () => {
    const world = createWorld(worldSpec());
    world.setDesiredCapacity('general', 1);
    expect(told(world)).toEqual([]);
    expect(told(lapse(world, 3))).toEqual([['underWay', 2]]);
    expect(told(lapse(world, 12))).toEqual([['succeeded', 2]]);
  });

  it('failed in the words of AWS, one for each instance, newest first', () => {
    const zones = ['us-east-1a', 'us-east-1b'];
    const shortages = [{ fromMs: 0, untilMs: 61_000 }];
    const world = createWorld(worldSpec({ groups: [worldGroup({ zones })], shortages }));
    world.setDesiredCapacity('general', 2);
    lapse(world, 70);
    expect(told(world)).toEqual([
      ['underWay', 62],
      ['underWay', 62],
      ['failed', 2],
      ['failed', 2],
    ]);
    const failure = world.launches('general').at(-1)?.message ?? '';
    expect(failure).toMatch(/InsufficientInstanceCapacity - We currently do not have sufficient/);
    expect(failure).toContain(
      'm5.large capacity in the Availability Zone you requested (us-east-1a)',
    );
    expect(failure).toContain('or choosing us-east-1b');
  });

  it('have ids of their own, and none is told of a group that is not there', () => {
    const world = createWorld(worldSpec());
    world.setDesiredCapacity('general', 4);
    lapse(world, 5);
    expect(new Set(world.launches('general').map(({ id }) => id)).size).toBe(4);
    expect(world.launches('other')).toEqual([]);
  });

  it('are the newest hundred of a group that fails for days', () => {
    const world = createWorld(worldSpec({ shortages: [{ fromMs: 0 }] }));
    world.setDesiredCapacity('general', 10);
    lapse(world, 86_400);
    const times = world.launches('general').map(({ startMs: atMs }) => atMs);
    expect(times).toHaveLength(100);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });
});

describe('a desired capacity that is lowered', () => {
  const running = (over: object = {}) =>
    createWorld(
      worldSpec({ groups: [worldGroup({ desired: 3, runningProtected: false, ...over })] }),
    );
  const kept = (world: World) =>
    world.groups().groups[0]?.instances.filter((one) => one.lifecycleState !== 'Terminating');

  it('voids what is not launched yet, and costs no instance', () => {
    const world = createWorld(worldSpec({ shortages: [{ fromMs: 0, untilMs: 30_000 }] }));
    world.setDesiredCapacity('general', 3);
    lapse(world, 20);
    world.setDesiredCapacity('general', 0);
    lapse(world, 3600);
    expect(world.figures().nodes).toMatchObject({ added: 0, removed: 0, failed: 3 });
    expect(kept(world)).toEqual([]);
  });

  it('terminates unprotected instances beyond it, with their nodes', () => {
    const world = running();
    world.setDesiredCapacity('general', 1);
    expect(kept(world)).toHaveLength(1);
    expect(world.groups().groups[0]?.instances).toHaveLength(3);
    lapse(world, 31);
    expect(world.groups().groups[0]?.instances).toHaveLength(1);
    expect(world.cluster().nodes).toHaveLength(1);
    expect(world.figures().nodes).toMatchObject({ removed: 2, ready: 1 });
  });

  it('leaves protected instances alone', () => {
    const world = running({ runningProtected: true });
    world.setDesiredCapacity('general', 0);
    expect(kept(lapse(world, 600))).toHaveLength(3);
    expect(world.figures().nodes.removed).toBe(0);
  });

  it('protects new instances only where the group says so', () => {
    const world = createWorld(
      worldSpec({ groups: [worldGroup({ newInstancesProtected: false })] }),
    );
    world.setDesiredCapacity('general', 2);
    lapse(world, 60);
    expect(kept(world)?.map((one) => one.protectedFromScaleIn)).toEqual([false, false]);
    expect(world.groups().groups[0]?.newInstancesProtected).toBe(false);
    world.setDesiredCapacity('general', 1);
    expect(kept(world)).toHaveLength(1);
  });

  it('stops costing when an instance is terminated', () => {
    const world = running({ desired: 1 });
    lapse(world, 3600);
    world.setDesiredCapacity('general', 0);
    lapse(world, 3600);
    expect(world.figures()).toMatchObject({ microDollars: 96_000, microDollarsPerHour: 0 });
  });

  it('ends an instance that boots before it becomes a Node', () => {
    const world = createWorld(
      worldSpec({ groups: [worldGroup({ newInstancesProtected: false, launch: exactly(1) })] }),
    );
    world.setDesiredCapacity('general', 1);
    lapse(world, 20);
    world.setDesiredCapacity('general', 0);
    lapse(world, 600);
    expect(world.cluster().nodes).toEqual([]);
    expect(world.figures().nodes).toMatchObject({ added: 0, removed: 0 });
  });
});
