import { describe, expect, it } from 'vitest';
import type { NodeGroups } from '#ports/node-groups.ts';

export interface NodeGroupsAdapters {
  readonly nodeGroups: NodeGroups;
  /** A group of the cluster with min 1, max 5 and desired 1, a launch template and `instanceType`. */
  readonly group: string;
  readonly instanceType: string;
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
  });
}
