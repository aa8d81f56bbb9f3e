import * as z from 'zod';

/*
 * The schedule's constant message to the queue of one network: look at every cluster of it. It finds
 * whatever a lost, late or doubled hint missed.
 */

export const sweepSource = 'outrider.schedule';
export const sweepDetailType = 'Sweep';

export const sweepEvent = z.object({
  source: z.literal(sweepSource),
  'detail-type': z.literal(sweepDetailType),
  detail: z.object({ network: z.string().min(1).max(64) }),
});
export type SweepEvent = z.infer<typeof sweepEvent>;
