import type { PodRef } from '#events/pod-pending.ts';
import type { PodChange } from '#wiring/relay.ts';

type PendingPod = Extract<PodChange, { kind: 'changed' }>['object'];

export interface NewPods {
  /** The pods in this that turned Unschedulable at a time not seen before. */
  note(change: PodChange): readonly PodRef[];
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

  const isNew = (pod: PendingPod): boolean => {
    if (pod.unschedulableSince === undefined) {
      seen.delete(pod.uid);
      return false;
    }
    if (seen.get(pod.uid) === pod.unschedulableSince) return false;
    // Set anew, it moves to the end of the map's order.
    seen.delete(pod.uid);
    seen.set(pod.uid, pod.unschedulableSince);
    const oldest = seen.size > most ? seen.keys().next().value : undefined;
    if (oldest !== undefined) seen.delete(oldest);
    return true;
  };

  return {
    note(change) {
      switch (change.kind) {
        case 'listed': {
          const alive = new Set(change.objects.map(({ uid }) => uid));
          seen = new Map([...seen].filter(([uid]) => alive.has(uid)));
          return change.objects.filter(isNew).map(refOf);
        }
        case 'changed':
          return isNew(change.object) ? [refOf(change.object)] : [];
        case 'gone':
          seen.delete(change.object.uid);
          return [];
      }
    },
    size: () => seen.size,
  };
}

const refOf = ({ namespace, name, uid }: PodRef): PodRef => ({ namespace, name, uid });
