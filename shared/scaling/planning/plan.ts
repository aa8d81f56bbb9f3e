import type { ClusterSnapshot, PodView } from '#cluster/snapshot.ts';
import { nodeIndexOf } from '#scheduling/node-index.ts';
import { type Trials, withShare } from '#scheduling/trials.ts';
import type { Choosing } from '../choosing/choosing.ts';
import type { GroupState } from '../group-state.ts';
import type { Occupancy } from '../occupancy.ts';
import { type ChosenFor, positionsOf } from './add-nodes.ts';
import { bestPlan, nothingAdded } from './best-plan.ts';
import { domainsToCome } from './domains-to-come.ts';
import { type Places, placePods } from './place-pods.ts';
import { type ExpectedNode, type PlannedWorld, plannedWorld } from './planned-world.ts';
import { type Demand, demandsOf, podClassesOf } from './pod-class.ts';

export interface PlanQuestion {
  readonly pods: readonly PodView[];
  /** Those of them that nothing may be added for: they take what is left on nodes there are or coming. */
  readonly addNothingFor: ReadonlySet<PodView>;
  readonly snapshot: ClusterSnapshot;
  readonly groups: readonly GroupState[];
  readonly occupancy: Occupancy;
  /** False where nothing may be added: the plan then only says what fits. */
  readonly mayAdd: boolean;
  readonly choosing: Choosing;
  /** Whether the cluster's scheduler must be seen to follow the plan. */
  readonly replays: boolean;
  /** How many splits of two nodes may be tried to make a plan by price cheaper. */
  readonly packingTrials: number;
  /** Used up as the plan is made. */
  readonly trials: Trials;
}

export interface PlannedPod {
  readonly pod: PodView;
  readonly node: string;
}

export interface ExpectedPlacement {
  readonly pod: PodView;
  readonly node: ExpectedNode;
}

export interface Plan {
  readonly onExisting: readonly PlannedPod[];
  readonly onExpected: readonly ExpectedPlacement[];
  readonly homeless: readonly Demand[];
  /** Pods that the trials did not suffice to look at to the end. */
  readonly notLookedAt: readonly PodView[];
  /** Pods that nothing may be added for and that found no place. */
  readonly leftOut: readonly PodView[];
  /** Nodes added by group; groups that get none are not in it. */
  readonly added: ReadonlyMap<string, number>;
  /** Why each group that is raised was first chosen. */
  readonly chosenFor: ReadonlyMap<string, ChosenFor>;
  /** Of the added, those without which the scheduler might leave pods that could be packed. */
  readonly extra: ReadonlyMap<string, number>;
  /** Pods with a place that the scheduler may leave Pending all the same. */
  readonly mayStay: readonly PodView[];
  readonly choosing: Choosing;
  readonly existingNodes: number;
  readonly comingNodes: number;
  /** The cluster with all that is planned, to say why of the rest. */
  readonly world: PlannedWorld;
}

/**
 * Plans to a fixpoint: what fits existing nodes is placed there, the rest on expected ones; as long as
 * a group can help pods without a place, the expander picks one, its nodes are added, and the rest is
 * placed anew from the start. The last placement is thus exactly what the next look will find when the
 * added nodes are on their way, so that looking twice never adds twice.
 *
 * The trials bound the work. Pods that existing nodes, or then expected ones, leave no trials for take no
 * part in the rest; a round that the trials do not suffice to finish is undone, and what is homeless by
 * then is not looked at to its end. Shares are set aside so that each look gets somewhere.
 */
export const planScaleUp = (question: PlanQuestion): Plan => {
  const { groups, choosing, trials, addNothingFor } = question;
  const world = plannedWorld({ ...question, domains: domainsToCome(question) });
  const { state, existing } = world;
  const classes = podClassesOf(question.pods, groups, state);
  const all = classes.map((podClass) => ({ podClass, pods: podClass.pods }));
  // What other pods decide depends on nodes to come too, whose zones and names are places to balance over.
  const [settled, changing] = [all.filter((one) => !mayChange(one)), all.filter(mayChange)];
  const first = withShare(trials, 2, (within) =>
    placePods(settled, { state, nodes: existing, among: amongExisting(world) }, within),
  );

  const waiting = [...first.homeless, ...changing].sort(byRank);
  const later = demandsOf(waiting, (pod) => !addNothingFor.has(pod));
  const beside: Places = { state, nodes: [], changed: existing, isSure: world.isSure };
  const fitted = withShare(trials, 4, (within) =>
    placePods(later, { ...beside, nodes: positionsOf(world.expected()) }, within),
  );
  const late = fitted.untried.flatMap(({ pods }) => pods);
  const cut = new Set(late);
  const demands = demandsOf(later, (pod) => !cut.has(pod));
  const adding = { groups, world, demands, beside, choosing, trials };
  const { placed, added, chosenFor, cutShort, extra, mayStay } = question.mayAdd
    ? bestPlan(fitted, { ...adding, ...question })
    : { ...nothingAdded, placed: fitted };
  // Last, so that they never take a node from the pods that it was added for.
  const expected = world.expected();
  const last = placePods(
    demandsOf(waiting, (pod) => addNothingFor.has(pod)),
    { ...beside, nodes: positionsOf(expected.filter(({ planned }) => !planned)) },
    trials,
  );
  const isOpen = ({ podClass }: Demand): boolean =>
    cutShort &&
    groups.some(
      (group) => choosing.limits.roomFor(group, added) > 0 && group.takes(podClass.sample),
    );
  const positions = new Map(expected.map((node) => [node.node, node]));
  const onExpected = [...placed.spots, ...last.spots].flatMap(({ pod, node: position }) => {
    const node = positions.get(position);
    return node === undefined ? [] : [{ pod, node }];
  });

  return {
    onExisting: [...first.spots, ...placed.spots, ...last.spots]
      .filter(({ node }) => !positions.has(node))
      .map(({ pod, node }) => ({ pod, node: state.nodeAt(node).name })),
    onExpected,
    homeless: placed.homeless.filter((demand) => !isOpen(demand)),
    notLookedAt: [
      ...first.untried.flatMap(({ pods }) => pods),
      ...late,
      ...placed.homeless.filter(isOpen).flatMap(({ pods }) => pods),
      ...last.untried.flatMap(({ pods }) => pods),
    ],
    leftOut: last.homeless.flatMap(({ pods }) => pods),
    added,
    chosenFor,
    extra,
    mayStay,
    choosing,
    existingNodes: question.snapshot.nodes.length,
    comingNodes: groups.reduce((sum, { coming }) => sum + coming.count, 0),
    world,
  };
};

/** Labels of nodes do not change while pods are placed, so that one index serves all. */
const amongExisting = ({ state, existing }: PlannedWorld) => {
  const index = nodeIndexOf(existing.map((node) => state.nodeAt(node)));
  return (pod: PodView): readonly number[] | undefined =>
    index(pod)?.map((position) => existing[position] ?? -1);
};

const mayChange = ({ podClass }: Demand): boolean => podClass.mayChange;
const byRank = (a: Demand, b: Demand): number => a.podClass.rank - b.podClass.rank;
