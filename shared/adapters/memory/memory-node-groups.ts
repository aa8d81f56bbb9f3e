import type { NodeGroups } from '#ports/node-groups.ts';
import { PortError } from '#ports/port-error.ts';
import type { World } from '#world/world.ts';
import { admit } from './admit.ts';

/** The groups of a simulated account, as the adapter of its one cluster sees them. */
export const memoryNodeGroups = (world: World): NodeGroups => ({
  discover: async () => {
    admit(world, 'describeGroups');
    return { view: world.groups(), problems: [] };
  },
  capacity: async (group) => {
    admit(world, 'readCapacity');
    const found = world.group(group);
    if (found === undefined) return undefined;
    const { min, max, desired, instances, newInstancesProtected } = found;
    return { min, max, desired, instances, newInstancesProtected };
  },
  launches: async (group) => {
    admit(world, 'describeActivities');
    return world.launches(group);
  },
  foreign: async (instanceIds) => {
    admit(world, 'describeForeign');
    return world.foreign(instanceIds);
  },
  setDesiredCapacity: async (group, desired) => {
    admit(world, 'setDesiredCapacity');
    const answer = world.setDesiredCapacity(group, desired);
    switch (answer) {
      case 'done':
        return;
      case 'noSuchGroup':
        throw new PortError('notFound', `SetDesiredCapacity: there is no group ${group}`);
      case 'outOfBounds':
        throw new PortError(
          'invalid',
          `SetDesiredCapacity: ${desired} is outside the bounds of ${group}`,
        );
    }
  },
});
