import type { PodView } from '#cluster/snapshot.ts';
import type { Binding } from '#scheduling/replay/replay.ts';
import type { GroupState } from '../group-state.ts';
import type { AddingQuestion, ChosenFor } from './add-nodes.ts';
import { optionCache } from './option-cache.ts';
import { placePods, type Spot, takeAway } from './place-pods.ts';
import { demandsOf } from './pod-class.ts';

/** What the scheduler would make of a plan. */
export interface Outcome {
  readonly bound: readonly Binding<PodView>[];
  readonly pending: readonly PodView[];
}

/** The nodes of a plan, and why each group was first chosen. */
export interface Growth {
  readonly added: ReadonlyMap<string, number>;
  readonly chosenFor: ReadonlyMap<string, ChosenFor>;
}

/**
 * Adds the nodes that the expanders choose for the pods left Pending, all of them, while the others are where the
 * scheduler put them; `undefined` where no group helps any. No pods are placed afterwards.
 */
export const growFor = (
  { bound, pending }: Outcome,
  plan: Growth,
  { groups, world, demands, beside, choosing, trials }: AddingQuestion,
): Growth | undefined => {
  const { state } = world;
  const added = new Map(plan.added);
  const chosenFor = new Map(plan.chosenFor);
  const optionsOf = optionCache(groups, { world, limits: choosing.limits });
  const spots: Spot[] = [];
  for (const { pod, node } of bound) state.place(pod, node);
  const left = new Set(pending);
  let homeless = demandsOf(demands, (pod) => left.has(pod));
  while (homeless.length > 0 && trials.left > 0) {
    const { options } = optionsOf({ homeless, added, trials });
    const choice = choosing.choose(options);
    const chosen = groups.find(({ group }) => group.name === choice?.option.group);
    if (choice === undefined || chosen === undefined) break;
    const { option, expanders, tie } = choice;
    const grown = nodesOf(chosen, { option, added, choosing });
    const fresh = grown.map((group) => world.add(group).node);
    const placed = placePods(homeless, { ...beside, changed: [], nodes: fresh }, trials);
    if (placed.spots.length === 0) {
      for (const _node of fresh) world.removeNewest();
      break;
    }
    for (const { group } of grown) {
      added.set(group.name, (added.get(group.name) ?? 0) + 1);
      if (!chosenFor.has(group.name)) {
        chosenFor.set(group.name, { expanders, tie, sharedWith: [] });
      }
    }
    for (const spot of placed.spots) spots.push(spot);
    homeless = [...placed.homeless, ...placed.untried];
  }
  takeAway(spots, state);
  takeAway(bound, state);
  return spots.length === 0 ? undefined : { added, chosenFor };
};

/** Shared out among similar groups where these are balanced. */
const nodesOf = (
  chosen: GroupState,
  {
    option,
    added,
    choosing,
  }: Pick<AddingQuestion, 'choosing'> & {
    readonly option: { readonly nodes: number; readonly classes: readonly { sample: PodView }[] };
    readonly added: ReadonlyMap<string, number>;
  },
): readonly GroupState[] => {
  const { nodes, classes } = option;
  const takes = (group: GroupState): boolean =>
    group === chosen || classes.every(({ sample }) => group.takes(sample));
  const shares = choosing.sharesOf({ chosen, nodes, added, takes });
  return shares.length === nodes ? shares : Array.from({ length: nodes }, () => chosen);
};
