import { resourcesFit } from '#cluster/resources.ts';
import type { PodView } from '#cluster/snapshot.ts';
import { freeAmount, type SchedulingNode } from '#scheduling/node.ts';
import { type Placement, packOnNodes } from '#scheduling/pack.ts';
import { existingNodesOf } from './existing-nodes.ts';
import { leastWaste } from './expander.ts';
import { type ExpansionOption, expansionOption } from './expansion-option.ts';
import type { GroupState } from './group-state.ts';
import type { Occupancy } from './occupancy.ts';
import {
  type Demand,
  type ExpectedPlacement,
  expectedNodesOf,
  type Placed,
  placeOnExpected,
} from './placement.ts';
import { type PodClass, podClassesOf } from './pod-class.ts';

export interface PlanQuestion {
  readonly pods: readonly PodView[];
  readonly nodes: Parameters<typeof existingNodesOf>[0];
  readonly groups: readonly GroupState[];
  readonly occupancy: Occupancy;
  /** False where nothing may be added: the plan then only says what fits. */
  readonly mayAdd: boolean;
}

export interface Plan {
  readonly onExisting: readonly Placement<PodView>[];
  readonly onExpected: readonly ExpectedPlacement[];
  readonly homeless: readonly Demand[];
  /** Nodes added by group; groups that get none are not in it. */
  readonly added: ReadonlyMap<string, number>;
  /** The expander's rule for each group that is raised. */
  readonly rules: ReadonlyMap<string, string>;
  readonly existingNodes: number;
  readonly comingNodes: number;
}

/**
 * Plans to a fixpoint: what fits existing nodes is placed there, the rest on expected ones; as long as
 * a group can help pods without a place, the expander picks one, its nodes are added, and the rest is
 * placed anew from the start. The last placement is thus exactly what the next look will find when the
 * added nodes are on their way, so that looking twice never adds twice.
 */
export const planScaleUp = (question: PlanQuestion): Plan => {
  const { groups, occupancy } = question;
  const classes = podClassesOf(question.pods, groups);
  const existing = existingNodesOf(question.nodes, groups, occupancy);
  const first = packOnNodes(
    classes.filter(fitsTheLargest(existing)).flatMap(({ pods }) => pods),
    existing,
  );
  const demands = demandsOf(classes, first.placed);

  const added = new Map<string, number>();
  const rules = new Map<string, string>();
  const optionsOf = optionCache(groups, added);
  const place = (): Placed => placeOnExpected(demands, expectedNodesOf(groups, occupancy, added));
  let placed = place();
  while (question.mayAdd && placed.homeless.length > 0) {
    const choice = leastWaste(optionsOf(placed.homeless));
    if (choice === undefined) break;
    const { group, nodes } = choice.option;
    added.set(group, (added.get(group) ?? 0) + nodes);
    if (!rules.has(group)) rules.set(group, choice.rule);
    placed = place();
  }

  return {
    onExisting: first.placed,
    onExpected: placed.placements,
    homeless: placed.homeless,
    added: withPods(placed.placements),
    rules,
    existingNodes: question.nodes.length,
    comingNodes: groups.reduce((sum, { coming }) => sum + coming.count, 0),
  };
};

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

/** The pods of each class that no existing node took. */
const demandsOf = (
  classes: readonly PodClass[],
  placed: readonly Placement<PodView>[],
): readonly Demand[] => {
  const done = new Set(placed.map(({ pod }) => pod));
  return classes
    .map((podClass) => ({ podClass, pods: podClass.pods.filter((pod) => !done.has(pod)) }))
    .filter(({ pods }) => pods.length > 0);
};

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

/** Options of all groups; one is worked out anew only where the pods it could help have changed. */
const optionCache = (
  groups: readonly GroupState[],
  added: ReadonlyMap<string, number>,
): ((homeless: readonly Demand[]) => readonly ExpansionOption[]) => {
  const known = new Map<string, { readonly for: string; readonly option?: ExpansionOption }>();
  return (homeless) =>
    groups.flatMap((state) => {
      const limit = state.headroom - (added.get(state.group.name) ?? 0);
      const mine = homeless.filter(({ podClass }) => state.takesWhenEmpty(podClass.sample));
      if (limit <= 0 || mine.length === 0) return [];
      const signature = JSON.stringify([
        limit,
        mine.map(({ podClass, pods }) => [podClass.key, pods.length]),
      ]);
      const before = known.get(state.group.name);
      if (before?.for === signature) return before.option === undefined ? [] : [before.option];
      const option = expansionOption(state, mine, limit);
      known.set(state.group.name, {
        for: signature,
        ...(option === undefined ? {} : { option }),
      });
      return option === undefined ? [] : [option];
    });
};
