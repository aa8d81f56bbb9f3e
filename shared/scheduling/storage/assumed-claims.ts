import type { ClaimView, VolumeView } from '#cluster/storage-views.ts';
import type { NodeList } from '../state/node-list.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import { podClaims } from './pod-claims.ts';
import type { StorageIndex } from './storage-index.ts';
import { type Assumptions, bindingOn } from './volume-binder.ts';

/** A pod that was placed while claims of it were unbound. */
interface Entry {
  readonly pod: StatePod;
  readonly node: number;
  readonly waiting: readonly ClaimView[];
  /** What followed from it. */
  readonly selected: ClaimView[];
  readonly given: VolumeView[];
}

/**
 * The claims that follow placed pods, as the scheduler's own cache has it: an unbound claim goes with the
 * first pod that is placed with it, and gets a volume there. It is as if the pods had come in this order.
 */
export interface AssumedClaims extends Assumptions {
  /** Whether anything is assumed at all. */
  readonly any: boolean;
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
}

export function assumedClaims(nodes: NodeList, storage: StorageIndex): AssumedClaims {
  let entries: Entry[] = [];
  const selected = new Map<ClaimView, string>();
  const owners = new Map<VolumeView, ClaimView>();
  const settled = new Set<ClaimView>();
  const assumed: Assumptions = {
    selectedNode: (claim) => claim.selectedNode ?? selected.get(claim),
    claimOf: (volume) => owners.get(volume) ?? volume.claim,
  };

  const follow = (entry: Entry): void => {
    entries.push(entry);
    const { volumes } = bindingOn(nodes.at(entry.node), entry.waiting, { storage, assumed });
    for (const claim of entry.waiting) {
      if (settled.has(claim)) continue;
      settled.add(claim);
      entry.selected.push(claim);
      const volume = volumes.get(claim);
      if (volume === undefined) selected.set(claim, nodes.nameOf(entry.node));
      else {
        owners.set(volume, claim);
        entry.given.push(volume);
      }
    }
  };
  const forget = (entry: Entry): void => {
    for (const claim of entry.selected.splice(0)) {
      selected.delete(claim);
      settled.delete(claim);
    }
    for (const volume of entry.given.splice(0)) owners.delete(volume);
  };

  return {
    ...assumed,
    get any() {
      return entries.length > 0;
    },
    place: (pod, node) => {
      if (pod.volumes === undefined || pod.volumes.length === 0) return;
      const { waiting } = podClaims(pod, storage);
      if (waiting.length > 0) follow({ pod, node, waiting, selected: [], given: [] });
    },
    remove: (pod, node) => {
      const index = entries.findLastIndex((one) => one.pod === pod && one.node === node);
      if (index < 0) return;
      // What came later chose among what this one left.
      const later = entries.slice(index);
      entries = entries.slice(0, index);
      for (const entry of later) forget(entry);
      for (const entry of later.slice(1)) follow(entry);
    },
  };
}
