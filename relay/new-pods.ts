import type { PodRef } from '#events/pod-pending.ts';

/** A pod without a node, as the watch tells of it. */
export interface SeenPod extends PodRef {
  /** Since when the scheduler says Unschedulable; absent where it does not. */
  readonly unschedulableSince?: string;
}

export interface NewPods {
  /** The pods of a whole list that turned Unschedulable at a time not seen before. */
  listed(pods: readonly SeenPod[]): readonly PodRef[];
  /** Whether this pod did. */
  changed(pod: SeenPod): boolean;
  gone(pod: PodRef): void;
  /** Pods remembered now. */
  size(): number;
}

/**
 * Remembers at which time each pod turned Unschedulable, so that one turn is one hint: the scheduler
 * rewrites the condition at each attempt and leaves its lastTransitionTime alone. Of more than `most`
 * pods the one seen longest ago is forgotten, which costs at most a hint twice.
 */
export function createNewPods(most = 50_000): NewPods {
  let seen = new Map<string, string>();

  const note = (pod: SeenPod): boolean => {
    if (pod.unschedulableSince === undefined) {
      seen.delete(pod.uid);
      return false;
    }
    const isNew = seen.get(pod.uid) !== pod.unschedulableSince;
    if (isNew) {
      // Set anew, it moves to the end of the map's order.
      seen.delete(pod.uid);
      seen.set(pod.uid, pod.unschedulableSince);
      const oldest = seen.size > most ? seen.keys().next().value : undefined;
      if (oldest !== undefined) seen.delete(oldest);
    }
    return isNew;
  };

  return {
    listed(pods) {
      const known = seen;
      const alive = new Set(pods.map((pod) => pod.uid));
      seen = new Map([...known].filter(([uid]) => alive.has(uid)));
      return pods.filter(note);
    },
    changed: note,
    gone(pod) {
      seen.delete(pod.uid);
    },
    size: () => seen.size,
  };
}
