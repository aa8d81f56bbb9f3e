import type { Clock } from '#ports/clock.ts';
import type { World } from '#world/world.ts';

/** The world's own time: it passes only where the world is let run. */
export const memoryClock = (world: World): Clock => ({ nowMs: () => world.nowMs() });
