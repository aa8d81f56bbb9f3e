import type { NodeView } from '#cluster/snapshot.ts';
import {
  type SchedulingState,
  type StatePod,
  schedulingState,
} from '#scheduling/state/scheduling-state.ts';
import type { PodState, WorldState } from './state.ts';
import { viewObjects } from './views.ts';

/** The world's Ready nodes with the pods on them, kept from one look of the scheduler to the next. */
export interface LiveState {
  /** As things are now; nodes by position, the oldest first. */
  current(): SchedulingState;
  bind(pod: PodState, node: number): void;
  /** A pod that has ended leaves its node. */
  release(pod: PodState): void;
}

interface Placed {
  readonly pod: StatePod;
  readonly node: number;
}

export function liveState(world: WorldState): LiveState {
  let state: SchedulingState | undefined;
  let known = new Map<string, NodeView>();
  let namespaces = 0;
  const placed = new Map<PodState, Placed>();

  const place = (into: SchedulingState, pod: PodState, node: number): void => {
    into.place(pod.view, node);
    placed.set(pod, { pod: pod.view, node });
  };
  const join = (into: SchedulingState, view: NodeView): void => {
    known.set(view.name, view);
    const node = into.addNode(view);
    for (const pod of world.podsOn.get(view.name) ?? []) place(into, pod, node);
  };
  /** Nodes that went, or are not what they were, cannot be taken out of a state: it is made anew. */
  const isStale = (): boolean => {
    for (const [name, view] of known) if (world.nodes.get(name) !== view) return true;
    return false;
  };
  const anew = (): SchedulingState => {
    known = new Map();
    placed.clear();
    const { namespaces: list = [], ...storage } = viewObjects(world);
    namespaces = list.length;
    return schedulingState({ namespaces: list, storage });
  };

  return {
    current: () => {
      const changed = (viewObjects(world).namespaces ?? []).length !== namespaces;
      const now = state === undefined || changed || isStale() ? anew() : state;
      state = now;
      for (const view of world.nodes.values()) {
        if (view.ready === 'True' && !known.has(view.name)) join(now, view);
      }
      return now;
    },
    bind: (pod, node) => {
      // The scheduler has placed it already.
      placed.set(pod, { pod: pod.view, node });
    },
    release: (pod) => {
      const where = placed.get(pod);
      if (where === undefined) return;
      state?.remove(where.pod, where.node);
      placed.delete(pod);
    },
  };
}
