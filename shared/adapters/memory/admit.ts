import { PortError } from '#ports/port-error.ts';
import type { ApiCall } from '#world/spec.ts';
import type { World } from '#world/world.ts';

/** Counts the call; throws `throttled` where the world refuses it. */
export const admit = (world: World, call: ApiCall): void => {
  if (world.admit(call)) return;
  throw new PortError('throttled', `${call}: Rate exceeded`);
};
