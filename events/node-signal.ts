import * as z from 'zod';
import { clusterDetailFields, clusterSource } from './cluster-source.ts';

/*
 * Our own event: a node came, went, or one of its conditions changed. Sent by the relay to the custom bus,
 * routed by network. A hint: nothing in it is acted upon but the cluster's name; the rest is for people
 * who read the bus.
 */

export const nodeSignalDetailType = 'Node Signal';

/** Kubernetes has five conditions of its own; detectors of node problems add some more. */
export const mostConditionsOfSignal = 32;
export const longestReasonOfSignal = 256;

export const nodeConditionRef = z.object({
  type: z.string().min(1).max(316),
  /** `True`, `False` or `Unknown`, as the API server has it now. */
  status: z.string().max(32),
  reason: z.string().max(longestReasonOfSignal).optional(),
});
export type NodeConditionRef = z.infer<typeof nodeConditionRef>;

export const nodeSignalDetail = z.object({
  ...clusterDetailFields,
  node: z.string().min(1).max(253),
  uid: z.string().min(1).max(128),
  change: z.enum(['appeared', 'changed', 'gone']),
  /** Those whose status changed; none where a node is gone. */
  conditions: z.array(nodeConditionRef).max(mostConditionsOfSignal),
  /** Other nodes that changed too and are not named, since so many did. */
  more: z.int().min(0),
});
export type NodeSignalDetail = z.infer<typeof nodeSignalDetail>;

export const nodeSignalEvent = z.object({
  source: clusterSource,
  'detail-type': z.literal(nodeSignalDetailType),
  detail: nodeSignalDetail,
});
export type NodeSignalEvent = z.infer<typeof nodeSignalEvent>;
