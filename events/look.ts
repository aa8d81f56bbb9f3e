import * as z from 'zod';

/*
 * Outrider's message to itself: look at one cluster. Sent to the queue of the cluster's network with a
 * delay: one cluster's share of a sweep, the rest of a look that could not do everything, or the check
 * whether a look that somebody left a mark with was finished.
 */

export const lookSource = 'outrider.look';
export const lookDetailType = 'Look';

export const lookEvent = z.object({
  source: z.literal(lookSource),
  'detail-type': z.literal(lookDetailType),
  detail: z.object({
    cluster: z.string().min(1).max(100),
    because: z.enum(['marked', 'unfinished', 'sweep']),
    /** Counts the looks that followed one from another. */
    step: z.int().min(1),
  }),
});
export type LookEvent = z.infer<typeof lookEvent>;
