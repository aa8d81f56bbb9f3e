import { counted } from '#cluster/counted.ts';
import { formatAmounts } from '#cluster/format-amount.ts';
import { addResources, amountIn, maxResources, type Resources } from '#cluster/resources.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { Reason } from '../decision.ts';
import { groupPolicyOf } from '../group-policy.ts';
import type { GroupState } from '../group-state.ts';
import type { ScalingPolicy } from '../policy.ts';

/** Nodes added so far, by group. */
export type AddedNodes = ReadonlyMap<string, number>;

/** How far groups may still grow in this decision. */
export interface Limits {
  /** How many more nodes the group may get, beside those that are added. */
  roomFor(state: GroupState, added: AddedNodes): number;
  /** Which limit of the policy lets the group have no more; its maximum, and what blocks it, are not of these. */
  stopOf(state: GroupState, added: AddedNodes): Reason | undefined;
}

export interface LimitsQuestion {
  readonly policy: ScalingPolicy;
  readonly snapshot: Pick<ClusterSnapshot, 'nodes'>;
  readonly groups: readonly GroupState[];
}

/** One limit: how many more nodes it lets the group have, and what people are told. */
interface Bound {
  readonly code: string;
  left(state: GroupState, added: AddedNodes): number;
  text(state: GroupState, added: AddedNodes): string;
}

/**
 * The limits of the policy, with what is there counted against them: every Node, whoever runs it, and what is on its way
 * as the largest machine that it may turn out to be. An option that goes beyond one is cut to what it lets through.
 */
export const limitsOf = ({ policy, snapshot, groups }: LimitsQuestion): Limits => {
  const bounds = [
    ...groupBounds(policy),
    ...clusterBounds(policy, snapshot, groups),
    ...decisionBound(policy),
  ];
  return {
    roomFor: (state, added) => {
      const own = state.headroom - addedTo(state, added);
      if (own <= 0) return 0;
      return bounds.reduce(
        (room, { left }) => Math.min(room, Math.max(left(state, added), 0)),
        own,
      );
    },
    stopOf: (state, added) => {
      const bound = bounds.find(({ left }) => left(state, added) <= 0);
      return (
        bound && { group: state.group.name, code: bound.code, message: bound.text(state, added) }
      );
    },
  };
};

const addedTo = ({ group }: GroupState, added: AddedNodes): number => added.get(group.name) ?? 0;

const sumOf = (added: AddedNodes): number =>
  [...added.values()].reduce((sum, count) => sum + count, 0);

/** Nodes of the group that are there for good or come. */
export const nodesOfGroup = ({ live, coming }: GroupState): number =>
  live.size + withoutNode(coming.count, { live, coming });

/** Of those on their way, those that no Node stands for yet. */
const withoutNode = (
  count: number,
  { live, coming }: Pick<GroupState, 'live' | 'coming'>,
): number => count - coming.starting.filter(({ id }) => live.has(id)).length;

/** All Nodes, whoever runs them, and those on their way. */
export const nodesOfCluster = (
  { nodes }: LimitsQuestion['snapshot'],
  groups: readonly GroupState[],
): number =>
  nodes.length + groups.reduce((sum, state) => sum + withoutNode(state.coming.count, state), 0);

const groupBounds = (policy: ScalingPolicy): readonly Bound[] => {
  const most = ({ group }: GroupState): number =>
    groupPolicyOf(policy, group.name)?.maxNodes ?? Number.POSITIVE_INFINITY;
  return [
    {
      code: 'groupNodeLimit',
      left: (state, added) => most(state) - nodesOfGroup(state) - addedTo(state, added),
      text: (state, added) =>
        `it may have ${counted(most(state), 'node')} (groups[].maxNodes) and has ${partsText(nodesOfGroup(state), addedTo(state, added))}`,
    },
  ];
};

const decisionBound = ({ limits }: ScalingPolicy): readonly Bound[] => {
  const { newNodes } = limits ?? {};
  if (newNodes === undefined) return [];
  return [
    {
      code: 'newNodeLimit',
      left: (_, added) => newNodes - sumOf(added),
      text: () =>
        `one decision adds at most ${counted(newNodes, 'node')} to all groups together (scaling.limits.newNodes): the rest follows at the next look`,
    },
  ];
};

const clusterBounds = (
  { limits }: ScalingPolicy,
  { nodes }: LimitsQuestion['snapshot'],
  groups: readonly GroupState[],
): readonly Bound[] => {
  if (limits === undefined) return [];
  const bounds: Bound[] = [];
  const { nodes: most } = limits;
  if (most !== undefined) {
    const there = nodesOfCluster({ nodes }, groups);
    bounds.push({
      code: 'clusterNodeLimit',
      left: (_, added) => most - there - sumOf(added),
      text: (_, added) =>
        `the cluster may have ${counted(most, 'node')} (scaling.limits.nodes) and has ${partsText(there, sumOf(added))}`,
    });
  }
  const sizes = new Map(groups.map((state) => [state.group.name, largestOf(state)]));
  const oneOf = ({ group }: GroupState, name: string): number =>
    amountIn(sizes.get(group.name) ?? {}, name);
  const there = groups.reduce(
    (sum, state) =>
      addResources(sum, times(largestOf(state), withoutNode(state.coming.count, state))),
    nodes.reduce<Resources>((sum, { capacity }) => addResources(sum, capacity), {}),
  );
  for (const [name, limit] of Object.entries(limits.resources ?? {}).sort()) {
    const plannedOf = (added: AddedNodes): number =>
      groups.reduce((sum, state) => sum + oneOf(state, name) * addedTo(state, added), 0);
    const freeOf = (added: AddedNodes): number => limit - amountIn(there, name) - plannedOf(added);
    bounds.push({
      code: 'clusterResourceLimit',
      left: (state, added) => {
        const one = oneOf(state, name);
        return one <= 0 ? Number.POSITIVE_INFINITY : Math.floor(freeOf(added) / one);
      },
      text: (state, added) => {
        const [may = '', has = '', adds = '', one = ''] = formatAmounts(name, [
          limit,
          amountIn(there, name),
          plannedOf(added),
          oneOf(state, name),
        ]);
        const planned = plannedOf(added) === 0 ? '' : ` and ${adds} planned`;
        return `the cluster may have ${may} of ${name} (scaling.limits) and has ${has}${planned}: a new node of the group has ${one}`;
      },
    });
  }
  return bounds;
};

const partsText = (there: number, planned: number): string =>
  planned === 0 ? String(there) : `${there} and ${planned} planned`;

/** What AWS launches may be any of the group's templates. */
const largestOf = ({ templates }: GroupState): Resources =>
  templates.templates.map(({ capacity }) => capacity).reduce(maxResources, {});

const times = (amounts: Resources, count: number): Resources =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amount * count]));
