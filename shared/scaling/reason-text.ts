import { counted } from '#cluster/counted.ts';
import { amountIn, heldAmount } from '#cluster/resources.ts';
import type { PodView } from '#cluster/snapshot.ts';
import { unusedText } from './expander.ts';
import type { GroupState } from './group-state.ts';
import type { Plan } from './planning/plan.ts';

/**
 * The one line that says why a group is raised for the pods that its new nodes take. The waste is that
 * of the nodes as planned in the end: what they take may differ from what they were first chosen for.
 */
export const scaleUpReason = (state: GroupState, pods: readonly PodView[], plan: Plan): string => {
  const { group, templates, capacity } = state;
  const added = plan.added.get(group.name) ?? 0;
  const types = [...new Set(templates.templates.map(({ instanceType }) => instanceType))];
  const single = pods.length === 1;
  const nodes = plan.existingNodes;
  const coming = plan.comingNodes === 0 ? '' : ` and the ${plan.comingNodes} on the way`;
  const where =
    nodes + plan.comingNodes === 0
      ? `${single ? 'finds' : 'find'} no node in the cluster`
      : `${single ? 'does' : 'do'} not fit the ${counted(nodes, 'node')} of the cluster${coming}`;
  const requested = { cpu: requestedOf(pods, 'cpu'), memory: requestedOf(pods, 'memory') };
  const waste = unusedText({ nodes: added, requested, capacity });
  const tie = plan.ties.get(group.name);
  const rule = `least waste: ${waste}${tie ? `, ${tie}` : ''}`;
  return `${counted(pods.length, 'pod')} ${where}; ${added} more ${types.join(' or ')} in ${group.name} ${added === 1 ? 'takes' : 'take'} ${single ? 'it' : 'them'} (${rule})`;
};

const requestedOf = (pods: readonly PodView[], resource: string): number =>
  pods.reduce((sum, { requests }) => heldAmount(sum + amountIn(requests, resource)), 0);
