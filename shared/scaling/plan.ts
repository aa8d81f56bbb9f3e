import { resourcesFit } from '#cluster/resources.ts';
import type { PodView } from '#cluster/snapshot.ts';
import { freeAmount, type SchedulingNode } from '#scheduling/node.ts';
import { type Placement, packOnNodes } from '#scheduling/pack.ts';
import { type Trials, withShare } from '#scheduling/trials.ts';
import { existingNodesOf } from './existing-nodes.ts';
import { leastWaste } from './expander.ts';
import type { GroupState } from './group-state.ts';
import type { Occupancy } from './occupancy.ts';
import { optionCache } from './option-cache.ts';
import {
  type Demand,
  type ExpectedNode,
  type ExpectedPlacement,
  expectedNodesOf,
  type Placed,
  placeOnExpected,
} from './placement.ts';
import { type PodClass, podClassesOf } from './pod-class.ts';

export interface PlanQuestion {
  readonly pods: readonly PodView[];
  /** Those of them that nothing may be added for: they take what is left on nodes there are or coming. */
  readonly addNothingFor: ReadonlySet<PodView>;
  readonly nodes: Parameters<typeof existingNodesOf>[0];
  readonly groups: readonly GroupState[];
  readonly occupancy: Occupancy;
  /** False where nothing may be added: the plan then only says what fits. */
  readonly mayAdd: boolean;
  /** Used up as the plan is made. */
  readonly trials: Trials;
}

export interface Plan {
  readonly onExisting: readonly Placement<PodView>[];
  readonly onExpected: readonly ExpectedPlacement[];
  readonly homeless: readonly Demand[];
  /** Pods that the trials did not suffice to look at to the end. */
  readonly notLookedAt: readonly PodView[];
  /** Pods that nothing may be added for and that found no place. */
  readonly leftOut: readonly PodView[];
  /** Nodes added by group; groups that get none are not in it. */
  readonly added: ReadonlyMap<string, number>;
  /** How the expander broke the tie in which each group that is raised was first chosen; may be empty. */
  readonly ties: ReadonlyMap<string, string>;
  readonly existingNodes: number;
  readonly comingNodes: number;
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
  const { groups, occupancy, trials } = question;
  const classes = podClassesOf(question.pods, groups);
  const existing = existingNodesOf(question.nodes, groups, occupancy);
  const likely = classes.filter(fitsTheLargest(existing)).flatMap(({ pods }) => pods);
  const first = withShare(trials, 2, (within) => packOnNodes(likely, existing, within));

  const added = new Map<string, number>();
  const ties = new Map<string, string>();
  const optionsOf = optionCache(groups);
  const place = (demands: readonly Demand[], within: Trials): PlacedOn => {
    const nodes = expectedNodesOf(groups, occupancy, added);
    return { ...placeOnExpected(demands, nodes, within), nodes };
  };
  const tried = new Set([...first.placed.map(({ pod }) => pod), ...first.untried]);
  const done = new Set([...tried, ...question.addNothingFor]);
  let placed = withShare(trials, 4, (within) => place(demandsOf(classes, done), within));
  const late = placed.untried.flatMap(({ pods }) => pods);
  const demands = demandsOf(classes, new Set([...done, ...late]));
  while (question.mayAdd && placed.homeless.length > 0) {
    const choice = leastWaste(optionsOf({ homeless: placed.homeless, added, trials }));
    if (choice === undefined) break;
    const { group, nodes } = choice.option;
    const before = added.get(group) ?? 0;
    added.set(group, before + nodes);
    const next = place(demands, trials);
    if (next.untried.length > 0) {
      added.set(group, before);
      break;
    }
    if (!ties.has(group)) ties.set(group, choice.tie);
    placed = next;
  }
  // Last, so that they never take a node from the pods that it was added for.
  const last = placeOnExpected(
    demandsOf(classes, tried, question.addNothingFor),
    placed.nodes.filter(({ planned }) => !planned),
    trials,
  );
  // Where trials remain, a group that could help is raised: what is left to it was not looked at.
  const isOpen = ({ podClass }: Demand): boolean =>
    question.mayAdd &&
    groups.some(
      (state) =>
        state.headroom > (added.get(state.group.name) ?? 0) &&
        state.takesWhenEmpty(podClass.sample),
    );

  return {
    onExisting: first.placed,
    onExpected: [...placed.placements, ...last.placements],
    homeless: placed.homeless.filter((demand) => !isOpen(demand)),
    notLookedAt: [
      ...first.untried,
      ...late,
      ...placed.homeless.filter(isOpen).flatMap(({ pods }) => pods),
      ...last.untried.flatMap(({ pods }) => pods),
    ],
    leftOut: last.homeless.flatMap(({ pods }) => pods),
    added: withPods(placed.placements),
    ties,
    existingNodes: question.nodes.length,
    comingNodes: groups.reduce((sum, { coming }) => sum + coming.count, 0),
  };
};

interface PlacedOn extends Placed {
  /** With what is left on them. */
  readonly nodes: readonly ExpectedNode[];
}

/** Spares a walk over all nodes for pods that ask for more of a resource than any node has left. */
const fitsTheLargest = (nodes: readonly SchedulingNode[]): ((podClass: PodClass) => boolean) => {
  const largest = new Map<string, number>();
  for (const node of nodes) {
    for (const resource of Object.keys(node.allocatable)) {
      largest.set(resource, Math.max(largest.get(resource) ?? 0, freeAmount(node, resource)));
    }
  }
  const free = Object.fromEntries(largest);
  return ({ sample }) => resourcesFit(sample.requests, free);
};

/** The pods of each class that are not done with; with `among`, of those alone. */
const demandsOf = (
  classes: readonly PodClass[],
  done: ReadonlySet<PodView>,
  among?: ReadonlySet<PodView>,
): readonly Demand[] =>
  among?.size === 0
    ? []
    : classes
        .map((podClass) => ({
          podClass,
          pods: podClass.pods.filter((pod) => !done.has(pod) && (among?.has(pod) ?? true)),
        }))
        .filter(({ pods }) => pods.length > 0);

/** Planned nodes that got a pod. Nodes fill up in order, so the empty ones are the last. */
const withPods = (placements: readonly ExpectedPlacement[]): ReadonlyMap<string, number> => {
  const used = new Map<string, Set<string>>();
  for (const { node } of placements) {
    if (!node.planned) continue;
    const names = used.get(node.group) ?? new Set();
    used.set(node.group, names.add(node.name));
  }
  return new Map([...used].map(([group, names]) => [group, names.size]));
};
