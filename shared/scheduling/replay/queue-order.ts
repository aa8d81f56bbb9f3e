import { compareText } from '#cluster/order.ts';
import { podKey } from '#cluster/snapshot.ts';
import type { StatePod } from '../state/scheduling-state.ts';

/** A pod that waits in the scheduler's queue. */
export interface QueuedPod extends StatePod {
  /** When it came to be. Absent: unknown, and it counts as the newest. */
  readonly createdAtMs?: number | undefined;
}

/**
 * The order in which kube-scheduler takes pods from its queue (PrioritySort): priority falling, then by
 * the time queued. When pods that found no place are tried again, that is the time of their last try,
 * which went in this order too; pods of one moment go by name.
 */
export const inQueueOrder = (a: QueuedPod, b: QueuedPod): number =>
  (b.priority ?? 0) - (a.priority ?? 0) ||
  (a.createdAtMs ?? Number.MAX_SAFE_INTEGER) - (b.createdAtMs ?? Number.MAX_SAFE_INTEGER) ||
  compareText(podKey(a), podKey(b));
