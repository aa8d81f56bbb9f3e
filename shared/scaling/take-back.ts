import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import type { Problem } from '#cluster/problem.ts';
import type { AutoScalingGroup, GroupInstance } from './aws-views.ts';
import { countsUnits, unitsOfAll } from './capacity-units.ts';
import type { TakeBack } from './decision.ts';
import type { GroupState } from './group-state.ts';
import { launchSuspended } from './node-template.ts';

/** What SetDesiredCapacity has to be told of a group before it lowers it. */
export type Capacity = Pick<
  AutoScalingGroup,
  'min' | 'desired' | 'instances' | 'newInstancesProtected'
>;

/** Instances that are leaving for good, or that wait in a warm pool and are no part of desired capacity. */
const isGoing = ({ lifecycleState }: GroupInstance): boolean =>
  /^(?:Terminating|Terminated|Detached|Warmed)(?::|$)/.test(lifecycleState);

/**
 * The size to which desired capacity may be taken back: the instances that are not terminating, by their
 * weights where they have any, but not below the minimum and never above what is desired now; or why it must stay. When desired capacity
 * falls, AWS may terminate any instance without protection from scale-in, also one that was launched
 * between the look and the act; so every one of them has to be protected, and new ones from their birth.
 */
export const mayTakeBack = (
  capacity: Capacity,
): { readonly to: number } | { readonly refused: string } => {
  const there = capacity.instances.filter((instance) => !isGoing(instance));
  if (!capacity.newInstancesProtected) {
    return { refused: 'new instances of the group are not protected from scale-in' };
  }
  const [open, ...others] = there
    .filter(({ protectedFromScaleIn }) => !protectedFromScaleIn)
    .map(({ id }) => id)
    .sort(compareText);
  if (open !== undefined) {
    return {
      refused:
        others.length === 0
          ? `${open} is not protected from scale-in`
          : `${open} and ${counted(others.length, 'other instance')} are not protected from scale-in`,
    };
  }
  return { to: Math.min(capacity.desired, Math.max(capacity.min, unitsOfAll(there))) };
};

export interface TakeBacks {
  readonly takeBacks: readonly TakeBack[];
  /** `desiredStays`: what cannot be taken back, and the remedy. */
  readonly problems: readonly Problem[];
}

/**
 * What to take back of what AWS owes to groups that are backed off. While Launch is suspended nothing is:
 * somebody is at work on that group, and AWS tries nothing.
 */
export const takeBacksOf = (groups: readonly GroupState[]): TakeBacks => {
  const takeBacks: TakeBack[] = [];
  const problems: Problem[] = [];
  for (const { group, backOff } of groups) {
    if (backOff === undefined || launchSuspended(group)) continue;
    const { name, desired, min } = group;
    const there = group.instances.filter((instance) => !isGoing(instance));
    const units = unitsOfAll(there);
    const to = Math.max(min, units);
    const what = countsUnits(group) ? 'unit' : 'node';
    if (to >= desired) continue;
    const answer = mayTakeBack(group);
    if ('to' in answer) {
      takeBacks.push({
        group: name,
        from: desired,
        to: answer.to,
        reason: `${desired - to} of the ${counted(desired, what)} it asks for ${desired - to === 1 ? 'does' : 'do'} not come (${backOff.code}): it keeps ${to === units ? `the ${counted(there.length, 'instance')} that it has` : `its minimum of ${min}`}`,
      });
    } else {
      problems.push({
        field: `groups[${name}].desired`,
        code: 'desiredStays',
        message: `desired capacity of ${name} stays at ${desired} though ${desired - to} of them ${desired - to === 1 ? 'does' : 'do'} not come (${backOff.code}): ${answer.refused}, so AWS might terminate a running node instead; protect all of its instances and new ones from scale-in, or lower it to ${to} by hand once no launch is under way`,
      });
    }
  }
  return { takeBacks, problems };
};
