import * as z from 'zod';

/*
 * Our own event: pods that the scheduler of a cluster could not place. Sent by the relay to the custom
 * bus, routed by network to the queue of `scale-up`. A hint: nothing in it is acted upon but the
 * cluster's name.
 */

/** Each cluster's relay may put events of its own source only: `outrider.cluster.<cluster>`. */
export const podPendingSourcePrefix = 'outrider.cluster.';
export const podPendingDetailType = 'Pod Pending';

export const podPendingDetail = z.object({
  cluster: z.string().min(1).max(100),
  network: z.string().min(1).max(64),
  /** The newest ones; a relay may name fewer pods than it saw, since a hint is only a hint. */
  pods: z.array(z.object({ namespace: z.string(), name: z.string(), uid: z.string() })).max(1000),
});
export type PodPendingDetail = z.infer<typeof podPendingDetail>;

export const podPendingEvent = z.object({
  source: z.string().startsWith(podPendingSourcePrefix),
  'detail-type': z.literal(podPendingDetailType),
  detail: podPendingDetail,
});
export type PodPendingEvent = z.infer<typeof podPendingEvent>;
