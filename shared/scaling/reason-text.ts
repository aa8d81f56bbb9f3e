import { counted } from '#cluster/counted.ts';
import type { GroupState } from './group-state.ts';
import type { Plan } from './plan.ts';

export { counted };

/** The one line that says why a group is raised. */
export const scaleUpReason = (state: GroupState, pods: number, plan: Plan): string => {
  const added = plan.added.get(state.group.name) ?? 0;
  const rule = plan.rules.get(state.group.name);
  const types = [...new Set(state.templates.templates.map(({ instanceType }) => instanceType))];
  const verb = pods === 1 ? 'does' : 'do';
  const nodes = plan.existingNodes;
  const coming = plan.comingNodes === 0 ? '' : ` and the ${plan.comingNodes} on the way`;
  const where =
    nodes + plan.comingNodes === 0
      ? `${pods === 1 ? 'finds' : 'find'} no node in the cluster`
      : `${verb} not fit the ${counted(nodes, 'node')} of the cluster${coming}`;
  return `${counted(pods, 'pod')} ${where}; ${added} more ${types.join(' or ')} in ${state.group.name} ${added === 1 ? 'takes' : 'take'} ${pods === 1 ? 'it' : 'them'} (${rule})`;
};
