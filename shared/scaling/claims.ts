import { compareText } from '#cluster/order.ts';
import type { Problem } from '#cluster/problem.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import type { ForeignInstance } from './aws-views.ts';
import { instanceIdOf, isNewer } from './match-nodes.ts';

export interface Claims {
  /** The Nodes without those that claim another cluster's instance. */
  readonly nodes: readonly NodeView[];
  /** `foreignInstance` and `instanceClaimedTwice`. */
  readonly problems: readonly Problem[];
}

/**
 * What Nodes claim to be. A provider id is written by whoever can write Nodes: one that names another
 * cluster's instance is not believed, and its Node neither offers room nor belongs to any group.
 */
export const claimsOf = (
  nodes: readonly NodeView[],
  foreign: readonly ForeignInstance[],
): Claims => {
  const others = new Map(foreign.map((instance) => [instance.id, instance]));
  const byInstance = new Map<string, NodeView[]>();
  const problems: Problem[] = [];
  const own = nodes.filter((node) => {
    const id = instanceIdOf(node.providerId);
    if (id === undefined) return true;
    const other = others.get(id);
    if (other !== undefined) {
      problems.push(foreignInstance(node, other));
      return false;
    }
    const claiming = byInstance.get(id);
    if (claiming === undefined) byInstance.set(id, [node]);
    else claiming.push(node);
    return true;
  });
  for (const [id, claiming] of byInstance) {
    if (claiming.length > 1) problems.push(claimedTwice(id, claiming));
  }
  return {
    nodes: own.length === nodes.length ? nodes : own,
    problems: problems.sort((a, b) => compareText(a.field ?? '', b.field ?? '')),
  };
};

const fieldOf = ({ name }: NodeView): string => `nodes[${name}].spec.providerID`;

const foreignInstance = (node: NodeView, { id, group, cluster }: ForeignInstance): Problem => ({
  field: fieldOf(node),
  code: 'foreignInstance',
  message: `the Node ${node.name} claims to be ${id}, an instance of group ${group} of the cluster ${cluster}: it is left out; delete the Node if it does not belong here, or correct the discovery tags of ${group} if it does`,
});

const claimedTwice = (id: string, claiming: readonly NodeView[]): Problem => {
  const [newest, ...older] = [...claiming].sort((a, b) => (isNewer(a, b) ? -1 : 1));
  const names = older.map(({ name }) => name).join(', ');
  return {
    field: `nodes[${newest?.name}].spec.providerID`,
    code: 'instanceClaimedTwice',
    message: `the Nodes ${newest?.name}, ${names} all claim to be ${id}: the newest, ${newest?.name}, counts; delete ${names} if that is what an earlier boot left behind`,
  };
};
