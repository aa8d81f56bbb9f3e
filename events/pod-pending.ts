import * as z from 'zod';
import { clusterDetailFields, clusterSource, clusterSourcePrefix } from './cluster-source.ts';

/*
 * Our own event: pods that the scheduler of a cluster could not place. Sent by the relay to the custom
 * bus, routed by network to the queue of `scale-up`. A hint: nothing in it is acted upon but the
 * cluster's name.
 */

/** Each cluster's relay may put events of its own source only: `outrider.cluster.<cluster>`. */
export const podPendingSourcePrefix = clusterSourcePrefix;
export const podPendingDetailType = 'Pod Pending';

/** More than a cluster should ever have waiting, and few enough for one entry of EventBridge. */
export const mostPodsOfHint = 1000;

/** A pod as a hint names it. */
export const podRef = z.object({ namespace: z.string(), name: z.string(), uid: z.string() });
export type PodRef = z.infer<typeof podRef>;

export const podPendingDetail = z.object({
  ...clusterDetailFields,
  /** The newest ones; a relay may name fewer pods than it saw, since a hint is only a hint. */
  pods: z.array(podRef).max(mostPodsOfHint),
});
export type PodPendingDetail = z.infer<typeof podPendingDetail>;

export const podPendingEvent = z.object({
  source: clusterSource,
  'detail-type': z.literal(podPendingDetailType),
  detail: podPendingDetail,
});
export type PodPendingEvent = z.infer<typeof podPendingEvent>;
