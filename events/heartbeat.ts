import * as z from 'zod';
import { clusterDetailFields, clusterSource } from './cluster-source.ts';

/*
 * Our own event: a relay is there and its watches are alive; one whose watches are stuck sends none. Sent each minute to the custom bus, routed by
 * network; an alarm rings where it is expected and does not come.
 */

export const heartbeatDetailType = 'Heartbeat';

export const heartbeatDetail = z.object({
  ...clusterDetailFields,
  sentAt: z.iso.datetime(),
});
export type HeartbeatDetail = z.infer<typeof heartbeatDetail>;

export const heartbeatEvent = z.object({
  source: clusterSource,
  'detail-type': z.literal(heartbeatDetailType),
  detail: heartbeatDetail,
});
export type HeartbeatEvent = z.infer<typeof heartbeatEvent>;
