import type { AutoScalingGroup } from './aws-views.ts';
import { counts } from './coming.ts';

/**
 * The size to which desired capacity may be taken back: never below the instances there are, and only
 * where AWS cannot choose one of them to terminate.
 */
export const mayTakeBack = (
  capacity: Pick<AutoScalingGroup, 'min' | 'desired' | 'instances' | 'newInstancesProtected'>,
): { readonly to: number } | { readonly refused: string } => {
  const there = capacity.instances.filter(counts);
  if (!capacity.newInstancesProtected) {
    return { refused: 'new instances of the group are not protected from scale-in' };
  }
  const open = there.find(({ protectedFromScaleIn }) => !protectedFromScaleIn);
  if (open !== undefined) return { refused: `${open.id} is not protected from scale-in` };
  return { to: Math.min(capacity.desired, Math.max(capacity.min, there.length)) };
};
