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
    const { world, groups } = throttled('setDesiredCapacity');
    await expect(groups.setDesiredCapacity('general', 3)).rejects.toMatchObject(refusal);
    expect(world.capacity('general')?.desired).toBe(0);
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
