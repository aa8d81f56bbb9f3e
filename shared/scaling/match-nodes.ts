import { getOwn } from '#cluster/own-record.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import type { AutoScalingGroup, GroupInstance } from './aws-views.ts';

export interface LiveNode {
  readonly node: NodeView;
  readonly instance: GroupInstance;
}

/** The instance's type: AWS's word, else the Node's label. */
export const instanceTypeOf = ({ instance, node }: LiveNode): string =>
  instance.type ?? getOwn(node.labels, 'node.kubernetes.io/instance-type') ?? '';

/**
 * The instance id of `aws:///us-east-1a/i-0123`. The zone in it is not looked at: it has been seen
 * wrong, and the id is unique.
 */
export const instanceIdOf = (providerId: string | undefined): string | undefined =>
  providerId === undefined ? undefined : /^aws:\/\/.*\/(i-[0-9A-Za-z-]+)$/.exec(providerId)?.[1];

/**
 * The Nodes of each group, by group name and then instance id: a Node is of a group only if its
 * instance id is among that group's instances. A provider id is a claim; enough to plan with, not to
 * terminate on. Of several Nodes that claim one instance the newest counts.
 */
export const matchNodes = (
  groups: readonly AutoScalingGroup[],
  nodes: readonly NodeView[],
): ReadonlyMap<string, ReadonlyMap<string, LiveNode>> => {
  const byInstance = new Map<string, NodeView>();
  for (const node of nodes) {
    const id = instanceIdOf(node.providerId);
    if (id === undefined) continue;
    const other = byInstance.get(id);
    if (other === undefined || isNewer(node, other)) byInstance.set(id, node);
  }
  return new Map(groups.map((group) => [group.name, liveNodesOf(group, byInstance)]));
};

const liveNodesOf = (
  group: AutoScalingGroup,
  byInstance: ReadonlyMap<string, NodeView>,
): ReadonlyMap<string, LiveNode> => {
  const live = new Map<string, LiveNode>();
  for (const instance of group.instances) {
    const node = byInstance.get(instance.id);
    if (node !== undefined) live.set(instance.id, { node, instance });
  }
  return live;
};

/** Of two Nodes the one created later; of equals the first by name. */
export const isNewer = (node: NodeView, other: NodeView): boolean => {
  const [age, otherAge] = [node.createdAtMs ?? 0, other.createdAtMs ?? 0];
  return age === otherAge ? node.name < other.name : age > otherAge;
};
