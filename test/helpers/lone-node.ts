import type { SchedulingConstraints } from '#cluster/constraints.ts';
import type { FitReason } from '#scheduling/filters/filter.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import { type StatePod, schedulingState } from '#scheduling/state/scheduling-state.ts';

type Demands = SchedulingConstraints & Partial<StatePod>;

/** One node by itself, as the engine judges it. */
export interface LoneNode {
  readonly podCount: number;
  fits(pod: Demands): boolean;
  /** Code and message of each reason. */
  explain(pod: Demands): readonly Pick<FitReason, 'code' | 'message'>[];
  place(pod: Demands): void;
  free(resource: string): number;
}

const asPod = (pod: Demands): StatePod => ({
  namespace: 'default',
  name: 'pod',
  uid: 'uid-pod',
  labels: {},
  ...pod,
});

export function loneNode(template: NodeTemplate): LoneNode {
  const state = schedulingState({ namespaces: [], storage: {} }, [{ template, pods: [] }]);
  return {
    get podCount() {
      return state.podsOn(0).length;
    },
    fits: (pod) => state.questionOf(asPod(pod)).passes(0),
    explain: (pod) =>
      state
        .questionOf(asPod(pod))
        .explainAll(0)
        .map(({ code, message }) => ({ code, message })),
    place: (pod) => state.place(asPod(pod), 0),
    free: (resource) => state.free(0, resource),
  };
}
