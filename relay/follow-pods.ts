import type { PodRef } from '#events/pod-pending.ts';
import type { NewPods, SeenPod } from './new-pods.ts';

/** What the watch tells, told apart by `kind`. */
export type Change =
  | { readonly kind: 'listed'; readonly pods: readonly SeenPod[] }
  | { readonly kind: 'changed'; readonly pod: SeenPod }
  | { readonly kind: 'gone'; readonly pod: SeenPod };

/** Hands every pod that has newly turned Unschedulable to `hint`, until the changes end. */
export async function followPods(
  changes: AsyncIterable<Change>,
  newPods: NewPods,
  hint: (pod: PodRef) => void,
): Promise<void> {
  for await (const change of changes) {
    switch (change.kind) {
      case 'listed':
        for (const pod of newPods.listed(change.pods)) hint(refOf(pod));
        break;
      case 'changed':
        if (newPods.changed(change.pod)) hint(refOf(change.pod));
        break;
      case 'gone':
        newPods.gone(change.pod);
        break;
    }
  }
}

const refOf = ({ namespace, name, uid }: PodRef): PodRef => ({ namespace, name, uid });
