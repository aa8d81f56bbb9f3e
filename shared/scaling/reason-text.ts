import { counted } from '#cluster/counted.ts';
import { amountIn, heldAmount } from '#cluster/resources.ts';
import type { PodView } from '#cluster/snapshot.ts';
import type { Choosing } from './choosing/choosing.ts';
import { type Filling, unusedText } from './choosing/waste.ts';
import type { GroupState } from './group-state.ts';
import type { PlanWithHeadroom } from './planning/keep-headroom.ts';
import type { Plan } from './planning/plan.ts';
import type { ExpanderName } from './policy.ts';

interface Filled extends Filling {
  readonly pods: number;
}

/** By which rule the group was chosen, with the figures of the nodes as planned in the end. */
const ruleText = (state: GroupState, filled: Filled, { chosenFor, choosing }: Plan): string => {
  const why = chosenFor.get(state.group.name);
  const names = why?.expanders ?? [];
  const rules = names.map((name) => expanderText(name, { state, filled, choosing }));
  const shared = why?.sharedWith ?? [];
  return [
    rules.join('; '),
    ...(why === undefined || why.tie === '' ? [] : [why.tie]),
    ...(shared.length === 0 ? [] : [`shared out evenly among ${shared.join(', ')}`]),
  ].join(', ');
};

interface ExpanderTold {
  readonly state: GroupState;
  readonly filled: Filled;
  readonly choosing: Choosing;
}

const expanderText = (name: ExpanderName, { state, filled, choosing }: ExpanderTold): string => {
  switch (name) {
    case 'least-waste':
      return `least waste: ${unusedText(filled)}`;
    case 'least-nodes':
      return `least nodes: ${filled.nodes}`;
    case 'most-pods':
      return `most pods: ${filled.pods}`;
    case 'price': {
      const price = choosing.priceOf(state);
      return price === undefined
        ? 'lowest price: that of the group is not known, and no other group helps'
        : `lowest price: ${dollarsText(price * filled.nodes)} per hour`;
    }
    case 'priority': {
      const priority = choosing.priorityOf(state);
      return priority === undefined
        ? 'no group that helps has a priority'
        : `highest priority: ${priority}`;
    }
  }
};

/** Millionths of a dollar: `$0.192`. */
const dollarsText = (micro: number): string => {
  const fraction = String(micro % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `$${Math.floor(micro / 1_000_000)}${fraction === '' ? '' : `.${fraction}`}`;
};

/**
 * The one line that says why a group is raised for the pods that its new nodes take. The waste is that
 * of the nodes as planned in the end: what they take may differ from what they were first chosen for.
 */
export const scaleUpReason = (
  state: GroupState,
  pods: readonly PodView[],
  plan: PlanWithHeadroom,
): string => {
  const { group, templates, capacity } = state;
  const kept = plan.kept.get(group.name);
  const spare = kept?.nodes ?? 0;
  const added = (plan.added.get(group.name) ?? 0) - spare;
  const types = [...new Set(templates.templates.map(({ instanceType }) => instanceType))];
  const single = pods.length === 1;
  const nodes = plan.existingNodes;
  const coming = plan.comingNodes === 0 ? '' : ` and the ${plan.comingNodes} on the way`;
  const where =
    nodes + plan.comingNodes === 0
      ? `${single ? 'finds' : 'find'} no node in the cluster`
      : `${single ? 'does' : 'do'} not fit the ${counted(nodes, 'node')} of the cluster${coming}`;
  const requested = { cpu: requestedOf(pods, 'cpu'), memory: requestedOf(pods, 'memory') };
  const rule = ruleText(state, { nodes: added, pods: pods.length, requested, capacity }, plan);
  const headroom = `to keep its headroom, ${kept?.text}`;
  if (added === 0) return `${spare} more ${types.join(' or ')} in ${group.name}, ${headroom}`;
  const beside = spare === 0 ? '' : `, and ${spare} more ${headroom}`;
  const more = `${added} more ${types.join(' or ')} in ${group.name}`;
  // What one course of the scheduler leaves empty another fills.
  if (pods.length === 0) return `${more}, ${inItsOrder} (${rule})${beside}`;
  const extra = plan.extra.get(group.name) ?? 0;
  const ofThem = extra === 0 ? '' : `, ${extra} of them ${inItsOrder}`;
  return `${counted(pods.length, 'pod')} ${where}; ${more} ${added === 1 ? 'takes' : 'take'} ${single ? 'it' : 'them'}${ofThem} (${rule})${mayWait(pods, plan)}${beside}`;
};

/** Neither more nodes nor others helped: which pods the scheduler takes first decides. */
const mayWait = (pods: readonly PodView[], { mayStay }: Plan): string => {
  const staying = new Set(mayStay);
  const count = pods.filter((pod) => staying.has(pod)).length;
  return count === 0
    ? ''
    : `; ${count} of the pods may wait for another look, where the scheduler fills their room with others`;
};

const inItsOrder = 'so that the scheduler in its own order finds a place for every pod';

const requestedOf = (pods: readonly PodView[], resource: string): number =>
  pods.reduce((sum, { requests }) => heldAmount(sum + amountIn(requests, resource)), 0);
