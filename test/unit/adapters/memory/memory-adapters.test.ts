import { describe, expect, it } from 'vitest';
import { memoryClusterApi } from '#adapters/memory/memory-cluster-api.ts';
import { memoryNodeGroups } from '#adapters/memory/memory-node-groups.ts';
import type { ApiCall } from '#world/spec.ts';
import { createWorld } from '#world/world.ts';
import { startMs, worldSpec, worldWorkload } from '../../../helpers/world-spec.ts';

const throttled = (call: ApiCall) => {
  const world = createWorld(
    worldSpec({ throttles: [{ call, limit: 0, perMs: 1_000 }], workloads: [worldWorkload()] }),
  );
  world.advanceTo(startMs + 1);
  return { world, groups: memoryNodeGroups(world), api: memoryClusterApi(world) };
};

const refusal = { code: 'throttled', retryable: true };

describe('memory adapters over a throttling world', () => {
  it('refuse groups, capacity and raises, and the raise has no effect', async () => {
    await expect(throttled('describeGroups').groups.discover()).rejects.toMatchObject(refusal);
    await expect(throttled('readCapacity').groups.capacity('general')).rejects.toMatchObject(
      refusal,
    );
    const { groups: activities } = throttled('describeActivities');
    await expect(activities.launches('general')).rejects.toMatchObject(refusal);
    await expect(throttled('describeForeign').groups.foreign(['i'])).rejects.toMatchObject(refusal);
    const { world, groups } = throttled('setDesiredCapacity');
    await expect(groups.setDesiredCapacity('general', 3)).rejects.toMatchObject(refusal);
    expect(world.group('general')?.desired).toBe(0);
  });

  it('refuse lists and Events, and nothing is told', async () => {
    await expect(throttled('listCluster').api.snapshot()).rejects.toMatchObject(refusal);
    const { world, api } = throttled('postPodEvent');
    const podUid = world.cluster().pods[0]?.uid ?? '';
    const about = { namespace: 'shop', pod: 'web-1', podUid, type: 'Normal' as const };
    const event = { ...about, reason: 'R', message: 'm', atMs: startMs };
    await expect(api.postPodEvent(event)).rejects.toMatchObject(refusal);
    expect(world.podNotes()).toEqual([]);
  });
});

describe('memory adapters over a world that answers late', () => {
  it('read a capacity with its instances fresh, however old the descriptions of groups are', async () => {
    const lag = { hintMs: 0, hintsLost: false, clusterStaleMs: 0, groupsStaleMs: 600_000 };
    const world = createWorld(worldSpec({ lag }));
    const groups = memoryNodeGroups(world);
    await groups.discover();
    await groups.setDesiredCapacity('general', 2);
    world.advanceTo(startMs + 30_000);
    const { view } = await groups.discover();
    expect(view.groups[0]).toMatchObject({ desired: 0, instances: [] });
    const capacity = await groups.capacity('general');
    expect(capacity).toMatchObject({ desired: 2, newInstancesProtected: true });
    expect(capacity?.instances.map(({ lifecycleState }) => lifecycleState)).toEqual([
      'InService',
      'InService',
    ]);
    expect((await groups.launches('general')).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ]);
  });

  it('count what they ask for', async () => {
    const world = createWorld(worldSpec());
    const groups = memoryNodeGroups(world);
    await groups.launches('general');
    await groups.foreign(['i-1']);
    await groups.foreign(['i-1']);
    expect(world.apiCalls()).toMatchObject({ describeActivities: 1, describeForeign: 2 });
  });
});
