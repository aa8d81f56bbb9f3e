import { counted } from '#cluster/counted.ts';
import { formatAmount } from '#cluster/format-amount.ts';
import type { Problem } from '#cluster/problem.ts';
import type { Resources } from '#cluster/resources.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { headroomOf } from '../choosing/headroom.ts';
import type { GroupState } from '../group-state.ts';
import type { Headroom, ScalingPolicy } from '../policy.ts';
import type { Plan } from './plan.ts';
import type { PlannedWorld } from './planned-world.ts';

/** What is kept free in one group. */
export interface KeptHeadroom {
  /** Nodes that are added for it alone. */
  readonly nodes: number;
  /** For people: `2 nodes without pods`. */
  readonly text: string;
}

export interface PlanWithHeadroom extends Plan {
  /** By group, where some is kept. */
  readonly kept: ReadonlyMap<string, KeptHeadroom>;
  /** Where it cannot be kept. */
  readonly headroomProblems: readonly Problem[];
}

/**
 * Adds what groups lack of the room that is to be kept free in them. It is looked for last: pods that wait take
 * the spare room first, and nothing is ever driven out of it. Room on nodes on their way counts, so that the next look adds
 * nothing more. Where pods wait for nodes of the group that are on their way it is left as it is: which of those nodes
 * they take, and so what is left, is known when they are bound.
 */
export const keepHeadroom = (
  plan: Plan,
  groups: readonly GroupState[],
  policy: ScalingPolicy,
): PlanWithHeadroom => {
  const added = new Map(plan.added);
  const kept = new Map<string, KeptHeadroom>();
  const headroomProblems: Problem[] = [];
  const awaited = new Set(
    plan.onExpected.filter(({ node }) => !node.planned).map(({ node }) => node.group),
  );
  for (const state of groups) {
    const { headroom, problems } = headroomOf(policy, state.group);
    headroomProblems.push(...problems);
    if (headroom === undefined || state.probed.length === 0) continue;
    if (awaited.has(state.group.name)) continue;
    const before = added.get(state.group.name) ?? 0;
    const missing = fill(headroom, { state, world: plan.world, plan, added });
    const nodes = (added.get(state.group.name) ?? 0) - before;
    kept.set(state.group.name, { nodes, text: headroomText(headroom) });
    if (missing !== '') headroomProblems.push(shortOf(state, missing, { plan, added }));
  }
  return { ...plan, added, kept, headroomProblems };
};

interface Filling {
  readonly state: GroupState;
  readonly world: PlannedWorld;
  readonly plan: Plan;
  readonly added: Map<string, number>;
}

/** Adds nodes until the room is there or no more may be added; what is missing then, for people. */
const fill = (headroom: Headroom, filling: Filling): string => {
  const { state, world } = filling;
  const nodes = nodesOf(state, world);
  const wanted = headroom.nodes ?? 0;
  const places = placesFor(headroom, state, { world, nodes });
  let { left } = places;
  while (left > 0) {
    const node = addNode(filling);
    if (node === undefined) break;
    const count = places.put(node, left);
    if (count === 0) {
      removeNode(filling);
      break;
    }
    nodes.push(node);
    left -= count;
  }
  let free = nodes.filter((node) => isFree(node, filling)).length;
  while (free < wanted && addNode(filling) !== undefined) free += 1;
  return [
    ...(left > 0 ? [`${left} of ${counted(headroom.pods?.count ?? 0, 'spare pod')}`] : []),
    ...(free < wanted ? [`${wanted - free} of ${counted(wanted, 'spare node')}`] : []),
  ].join(' and ');
};

const addNode = ({ state, world, plan, added }: Filling): number | undefined => {
  if (plan.choosing.limits.roomFor(state, added) <= 0) return undefined;
  added.set(state.group.name, (added.get(state.group.name) ?? 0) + 1);
  return world.add(state).node;
};

const removeNode = ({ state, world, added }: Filling): void => {
  world.removeNewest();
  const count = (added.get(state.group.name) ?? 0) - 1;
  if (count > 0) added.set(state.group.name, count);
  else added.delete(state.group.name);
};

/** Positions of the group's nodes that offer room: those that are there, then those that come. */
const nodesOf = ({ group, live }: GroupState, world: PlannedWorld): number[] => {
  const names = new Set([...live.values()].map(({ node }) => node.name));
  return [
    ...world.existing.filter((node) => names.has(world.state.nodeAt(node).name)),
    ...world.expected().flatMap((one) => (one.group === group.name ? [one.node] : [])),
  ];
};

/** A pod that stands for room: it may go wherever a new node of the group would do. */
const placeholder = ({ group, probed }: GroupState, requests: Resources): StatePod => ({
  namespace: '',
  name: `headroom-of-${group.name}`,
  uid: `headroom-of-${group.name}`,
  labels: {},
  requests,
  nodeSelector: {},
  tolerations: (probed[0]?.template.node.taints ?? []).map(({ key, value, effect }) => ({
    key,
    operator: 'Equal' as const,
    value,
    effect,
  })),
  hostPorts: [],
  notJudged: [],
});

interface Places {
  /** Spare pods that found no room. */
  readonly left: number;
  put(node: number, most: number): number;
}

const placesFor = (
  { pods }: Headroom,
  state: GroupState,
  { world, nodes }: { readonly world: PlannedWorld; readonly nodes: readonly number[] },
): Places => {
  if (pods === undefined) return { left: 0, put: () => 0 };
  const pod = placeholder(state, pods.requests);
  world.state.learn([pod]);
  const question = world.state.questionOf(pod);
  const put = (node: number, most: number): number => {
    const count = question.countThatFits(node, most);
    for (let index = 0; index < count; index += 1) world.state.place(pod, node);
    return count;
  };
  return { left: nodes.reduce((left, node) => left - put(node, left), pods.count), put };
};

/** Whether a new pod may run there and none does yet but what runs on every node. */
const isFree = (node: number, { state, world }: Filling): boolean => {
  const any = placeholder(state, {});
  world.state.learn([any]);
  const daemonPods = new Set(world.expected().find((one) => one.node === node)?.kind.daemonPods);
  return (
    world.state.questionOf(any).passes(node) &&
    world.state
      .podsOn(node)
      .every(
        (pod) =>
          daemonPods.has(pod) ||
          pod.uid === any.uid ||
          pod.owner?.kind === 'DaemonSet' ||
          pod.owner?.kind === 'Node',
      )
  );
};

const headroomText = ({ nodes = 0, pods }: Headroom): string => {
  const sizes = Object.entries(pods?.requests ?? {}).map(
    ([name, amount]) => `${formatAmount(name, amount)} ${name}`,
  );
  return [
    ...(nodes === 0 ? [] : [`${counted(nodes, 'node')} without pods`]),
    ...(pods === undefined
      ? []
      : [`room for ${counted(pods.count, 'pod')} of ${sizes.join(', ')}`]),
  ].join(' and ');
};

const shortOf = (
  state: GroupState,
  missing: string,
  { plan, added }: Pick<Filling, 'plan' | 'added'>,
): Problem => {
  const { limits } = plan.choosing;
  const stop = state.blocked ?? limits.stopOf(state, added);
  const isFull = limits.roomFor(state, added) <= 0;
  const why =
    stop?.message ??
    (isFull
      ? 'it is at its maximum, or at the most that one decision adds to it (scaling.maxNodesPerDecision)'
      : 'a new node of the group does not have the room for one');
  return {
    field: `AutoScalingGroups[${state.group.name}]`,
    code: 'headroomShort',
    message: `lacks ${missing} of its headroom: ${why}`,
  };
};
