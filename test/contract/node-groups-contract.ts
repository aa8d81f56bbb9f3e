import { describe, expect, it } from 'vitest';
import type { NodeGroups } from '#ports/node-groups.ts';
import type { ForeignInstance } from '#scaling/aws-views.ts';

export interface NodeGroupsAdapters {
  readonly nodeGroups: NodeGroups;
  /** A group of the cluster with min 1, max 5 and desired 1, a launch template and `instanceType`. */
  readonly group: string;
  readonly instanceType: string;
  /** An instance that a group of another cluster has, where there is one. */
  readonly foreign?: ForeignInstance;
}

/** What every NodeGroups does. */
export function describeNodeGroupsContract(
  name: string,
  makeAdapters: () => NodeGroupsAdapters | Promise<NodeGroupsAdapters>,
): void {
  describe(`NodeGroups: ${name}`, () => {
    it('discovers a group with the template and type that it names', async () => {
      const { nodeGroups, group, instanceType } = await makeAdapters();
      const { view, problems } = await nodeGroups.discover();
      expect(problems).toEqual([]);
      expect(view.region).not.toBe('');
      const found = view.groups.find((each) => each.name === group);
      expect(found).toMatchObject({ min: 1, max: 5, desired: 1 });
      const { id, name: templateName } = found?.launchTemplate ?? {};
      const template = view.launchTemplates.find(
        (each) => each.id === id || each.name === templateName,
      );
      expect(template).toMatchObject({ instanceType });
      const type = view.instanceTypes.find((each) => each.name === instanceType);
      expect(type?.vcpu).toBeGreaterThan(0);
      expect(type?.memoryMiB).toBeGreaterThan(0);
    });

    it('gives groups, templates and types in a stated order, each once', async () => {
      const { nodeGroups } = await makeAdapters();
      const { view } = await nodeGroups.discover();
      const names = view.groups.map((each) => each.name);
      expect(names).toEqual([...new Set(names)].sort());
      const types = view.instanceTypes.map((each) => each.name);
      expect(types).toEqual([...new Set(types)].sort());
    });

    it('reads the capacity of one group', async () => {
      const { nodeGroups, group } = await makeAdapters();
      expect(await nodeGroups.capacity(group)).toMatchObject({ min: 1, max: 5, desired: 1 });
    });

    it('knows no capacity of a group that does not exist', async () => {
      const { nodeGroups, group } = await makeAdapters();
      expect(await nodeGroups.capacity(`${group}-not-there`)).toBeUndefined();
    });

    it('sets the desired capacity, once or twice alike, and reads it at once', async () => {
      const { nodeGroups, group } = await makeAdapters();
      await nodeGroups.setDesiredCapacity(group, 3);
      await nodeGroups.setDesiredCapacity(group, 3);
      expect(await nodeGroups.capacity(group)).toMatchObject({ min: 1, max: 5, desired: 3 });
    });

    it('refuses a capacity beyond the maximum and leaves the group as it was', async () => {
      const { nodeGroups, group } = await makeAdapters();
      const raise = nodeGroups.setDesiredCapacity(group, 6);
      await expect(raise).rejects.toMatchObject({ code: 'invalid', retryable: false });
      expect(await nodeGroups.capacity(group)).toMatchObject({ desired: 1 });
    });

    it('throws notFound where the group does not exist', async () => {
      const { nodeGroups, group } = await makeAdapters();
      const raise = nodeGroups.setDesiredCapacity(`${group}-not-there`, 2);
      await expect(raise).rejects.toMatchObject({ code: 'notFound' });
    });

    it('reads a capacity with its instances and their protection, as discovery shows them', async () => {
      const { nodeGroups, group } = await makeAdapters();
      const { view } = await nodeGroups.discover();
      const shown = view.groups.find((each) => each.name === group);
      const capacity = await nodeGroups.capacity(group);
      expect(capacity?.newInstancesProtected).toBe(shown?.newInstancesProtected);
      const protections = (instances = capacity?.instances ?? []) =>
        instances.map(({ id, protectedFromScaleIn }) => [id, protectedFromScaleIn]).sort();
      expect(protections()).toEqual(protections([...(shown?.instances ?? [])]));
    });

    it('tells the launches of a group, newest first, each once', async () => {
      const { nodeGroups, group } = await makeAdapters();
      const launches = await nodeGroups.launches(group);
      expect(launches.every((launch) => launch.group === group)).toBe(true);
      const times = launches.map(({ startMs }) => startMs);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(new Set(launches.map(({ id }) => id)).size).toBe(launches.length);
      expect(launches.every(({ startMs, endMs = startMs }) => endMs >= startMs)).toBe(true);
    });

    it('tells no launches of a group that does not exist', async () => {
      const { nodeGroups, group } = await makeAdapters();
      expect(await nodeGroups.launches(`${group}-not-there`)).toEqual([]);
    });

    it('calls no instance foreign that is its own or in no group', async () => {
      const { nodeGroups, group } = await makeAdapters();
      const own = (await nodeGroups.capacity(group))?.instances.map(({ id }) => id) ?? [];
      expect(await nodeGroups.foreign([...own, 'i-0123456789abcdef0'])).toEqual([]);
      expect(await nodeGroups.foreign([])).toEqual([]);
    });

    it("knows the group and cluster of another cluster's instance", async () => {
      const { nodeGroups, foreign } = await makeAdapters();
      if (foreign === undefined) return;
      const asked = ['i-0123456789abcdef0', foreign.id];
      expect(await nodeGroups.foreign(asked)).toEqual([foreign]);
    });
  });
}
