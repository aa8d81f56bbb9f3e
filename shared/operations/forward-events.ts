import type { GroupName, GroupOwner, GroupOwners } from '#ports/group-owners.ts';
import type { Hints } from '#ports/hints.ts';

export interface ForwardPorts {
  readonly owners: GroupOwners;
  readonly hints: Hints;
}

export interface ForwardOutcome {
  /** Clusters that were told; none where the group is nobody's. */
  readonly told: readonly GroupOwner[];
}

/**
 * Tells the cluster of a group that a launch failed there, since AWS's event names no cluster. A hint like any
 * other: told twice it is one look more, lost it is found by the sweep.
 */
export const forwardLaunchFailed = async (
  { owners, hints }: ForwardPorts,
  group: GroupName,
): Promise<ForwardOutcome> => {
  const told = await owners.ownersOf(group);
  await Promise.all(told.map((owner) => hints.launchFailed({ ...owner, group: group.name })));
  return { told };
};
