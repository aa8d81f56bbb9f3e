import type { Problem } from '#cluster/problem.ts';
import type { ScaleUpInput } from '../decision.ts';
import type { GroupState } from '../group-state.ts';
import type { ExpansionOption } from '../planning/expansion-option.ts';
import type { ExpanderName, ScalingPolicy } from '../policy.ts';
import { type Choice, chooseOption } from './expander.ts';
import { isNextSpot, mergedPrices, nodePriceOf } from './group-prices.ts';
import { type AddedNodes, type Limits, limitsOf } from './limits.ts';
import { groupPriorities, prioritiesIn } from './priorities.ts';
import { shareOut } from './share-out.ts';
import { areSimilar, ignoredLabels } from './similar-groups.ts';

/** Which group grows, and how far, by the policy of one decision. */
export interface Choosing {
  readonly expanders: readonly ExpanderName[];
  readonly limits: Limits;
  /** Millionths of a dollar per hour of a new node; `undefined`: not known. */
  priceOf(state: GroupState): number | undefined;
  priorityOf(state: GroupState): number | undefined;
  choose(options: readonly ExpansionOption[]): Choice | undefined;
  /**
   * The order in which the nodes of a choice are added: all to the group chosen, or to it and those like it, so
   * that their sizes become even. Only groups for which `takes` holds get a share.
   */
  sharesOf(question: ShareQuestion): readonly GroupState[];
  /** What the choice lacked: prices, priorities. */
  readonly problems: readonly Problem[];
}

export interface ShareQuestion {
  readonly chosen: GroupState;
  readonly nodes: number;
  readonly added: AddedNodes;
  takes(state: GroupState): boolean;
}

/** Records older than the chain name one expander. */
export const expandersOf = ({ expander }: ScalingPolicy): readonly ExpanderName[] =>
  typeof expander === 'string' ? [expander] : expander;

export const choosingOf = (input: ScaleUpInput, groups: readonly GroupState[]): Choosing => {
  const { policy, snapshot } = input;
  const expanders = expandersOf(policy);
  const limits = limitsOf({ policy, snapshot, groups });
  const byName = new Map(groups.map((state) => [state.group.name, state]));
  const prices = mergedPrices(input.prices ?? {}, policy.pricesMicro ?? {});
  const known = new Map(groups.map((state) => [state.group.name, nodePriceOf(state, prices)]));
  const usesPriorities = expanders.includes('priority');
  const priorities = usesPriorities ? groupPriorities(prioritiesIn(snapshot)) : undefined;
  const context = {
    expanders,
    priceOf: (group: string) => known.get(group),
    priorityOf: (group: string) => priorities?.of(group),
  };
  const similar = similarity(groups, policy, (a, b) =>
    expanders.every(
      (name) =>
        (name !== 'price' || context.priceOf(a) === context.priceOf(b)) &&
        (name !== 'priority' || context.priorityOf(a) === context.priorityOf(b)),
    ),
  );
  return {
    expanders,
    limits,
    priceOf: ({ group }) => context.priceOf(group.name),
    priorityOf: ({ group }) => context.priorityOf(group.name),
    choose: (options) => chooseOption(options, context),
    sharesOf: ({ chosen, nodes, added, takes }) => {
      const sharers = similar(chosen).filter(takes);
      const order = shareOut(
        nodes,
        sharers.map((state) => ({
          group: state.group.name,
          size: state.coming.expected + (added.get(state.group.name) ?? 0),
          room: limits.roomFor(state, added),
        })),
      );
      return order.flatMap((name) => byName.get(name) ?? []);
    },
    problems: [
      ...(priorities?.problems ?? []),
      ...(expanders.includes('price') ? unpriced(groups, known) : []),
    ],
  };
};

/** Groups like one another, itself among them; nobody's like where nothing is balanced. */
const similarity = (
  groups: readonly GroupState[],
  policy: ScalingPolicy,
  areLevel: (a: string, b: string) => boolean,
): ((state: GroupState) => readonly GroupState[]) => {
  const known = new Map<GroupState, readonly GroupState[]>();
  const ignored = ignoredLabels(policy);
  return (state) => {
    if (policy.balanceSimilarGroups !== true) return [state];
    const found =
      known.get(state) ??
      groups.filter(
        (other) =>
          other === state ||
          (areLevel(state.group.name, other.group.name) && areSimilar(state, other, ignored)),
      );
    known.set(state, found);
    return found;
  };
};

/** Groups whose price is not known are said so: they come last. */
const unpriced = (
  groups: readonly GroupState[],
  known: ReadonlyMap<string, number | undefined>,
): readonly Problem[] =>
  groups
    .filter(({ group, probed }) => probed.length > 0 && known.get(group.name) === undefined)
    .map((state) => {
      const { group, templates } = state;
      const types = [...new Set(templates.templates.map(({ instanceType }) => instanceType))];
      return {
        field: `AutoScalingGroups[${group.name}]`,
        code: 'priceMissing',
        message: templates.templates.some(({ node }) => isNextSpot(state, node.labels))
          ? `has no Spot price in all of its zones, so that the expander price takes it last: EC2 is asked for ${types.join(', ')}, a recorded folder needs them in its prices`
          : `has no price, so that the expander price takes it last: add dollars per hour of ${types.join(', ')} under scaling.prices`,
      };
    });
