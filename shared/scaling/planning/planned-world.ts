import { compareText } from '#cluster/order.ts';
import type { ClusterSnapshot, NodeView, PodView } from '#cluster/snapshot.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import { type SchedulingState, schedulingState } from '#scheduling/state/scheduling-state.ts';
import { isDaemonSetPod } from '../candidates.ts';
import type { GroupState } from '../group-state.ts';
import type { Occupancy } from '../occupancy.ts';
import type { NodeKind } from './node-kind.ts';
import type { PodClass } from './pod-class.ts';

/** A node on its way or planned. */
export interface ExpectedNode {
  readonly name: string;
  readonly group: string;
  readonly kind: NodeKind;
  /** Its position in the state. */
  readonly node: number;
  /** Added by this decision. */
  readonly planned: boolean;
}

/** The cluster with the nodes on their way, in which a decision is simulated. */
export interface PlannedWorld {
  readonly state: SchedulingState;
  /** Existing nodes that offer the room they have now, by name: their positions. */
  readonly existing: readonly number[];
  /** Positions of all Nodes, whether they offer room or not, and of those on their way or planned. */
  nodes(): readonly number[];
  /** Group by group: those on their way, of which instances that are there come first, then planned ones. */
  expected(): readonly ExpectedNode[];
  /** Whether every node that may come in place of an expected one takes pods of the class. */
  isSure(podClass: PodClass, node: number): boolean;
  /** One more node of the group. */
  add(state: GroupState): ExpectedNode;
  /** Plans exactly so many nodes of each group instead of those added so far, on which no pods must be. */
  plan(counts: ReadonlyMap<string, number>): void;
  /** Takes the node added last away again; it must have no pods but those of DaemonSets. */
  removeNewest(): void;
}

export interface WorldQuestion {
  readonly snapshot: ClusterSnapshot;
  readonly groups: readonly GroupState[];
  readonly occupancy: Occupancy;
  /** Nodes that stand for domains which groups could have nodes in. Absent: none. */
  readonly domains?: readonly NodeTemplate[];
}

/**
 * All Nodes with the pods that take room on them: those that are not Ready offer no room, but affinity and
 * spread count their pods. A Node that counts as on its way is planned as its group's template has it, with the
 * pods that are bound to it already.
 */
export const plannedWorld = (question: WorldQuestion): PlannedWorld => {
  const { snapshot, groups, occupancy, domains = [] } = question;
  const starting = new Set(
    groups.flatMap(({ coming, live }) =>
      coming.starting.map((instance) => live.get(instance.id)?.node.name),
    ),
  );
  const views = snapshot.nodes
    .filter(({ name }) => !starting.has(name))
    .sort((a, b) => compareText(a.name, b.name));
  const state = schedulingState(
    { namespaces: snapshot.namespaces ?? [], storage: snapshot },
    views.map((template) => ({ template, pods: occupancy.get(template.name) ?? [] })),
  );
  const existing = [...views.keys()].filter((node) => offersRoom(views[node]));
  for (const domain of domains) state.addNode(domain);

  const byGroup = new Map<string, ExpectedNode[]>();
  const newest: ExpectedNode[] = [];
  const kinds: NodeKind[] = [];
  const answers = new Map<NodeKind, boolean[]>();
  const add = (group: GroupState, kind: NodeKind, planned: boolean): ExpectedNode => {
    const nodes = byGroup.get(group.group.name) ?? [];
    byGroup.set(group.group.name, nodes);
    const name = `group/${group.group.name}/coming-${nodes.length + 1}`;
    const node = state.addNode(kind.node, name);
    for (const pod of kind.daemonPods) state.place(pod, node);
    const expected = { name, group: group.group.name, kind, node, planned };
    nodes.push(expected);
    kinds[node] = kind;
    return expected;
  };
  for (const group of groups) {
    if (group.probed.length === 0) continue;
    const { count, starting: instances } = group.coming;
    for (let index = 0; index < count; index += 1) {
      const instance = instances[index];
      const kind =
        instance === undefined
          ? group.kindOfNext(index - instances.length)
          : group.kindOf(instance);
      const { node } = add(group, kind, false);
      for (const pod of boundTo(group, instance?.id, occupancy)) state.place(pod, node);
    }
  }
  const addNext = (group: GroupState): ExpectedNode => {
    const before = byGroup.get(group.group.name)?.length ?? 0;
    const kind = group.kindOfNext(before - group.coming.starting.length);
    const node = add(group, kind, true);
    newest.push(node);
    return node;
  };
  const removeNewest = (): void => {
    const last = newest.pop();
    if (last === undefined) throw new Error('no node was added');
    for (const pod of last.kind.daemonPods) state.remove(pod, last.node);
    state.removeNewestNode();
    byGroup.get(last.group)?.pop();
  };
  return {
    state,
    existing,
    nodes: () => [
      ...views.keys(),
      ...[...byGroup.values()].flatMap((nodes) => nodes.map(({ node }) => node)),
    ],
    expected: () => groups.flatMap(({ group }) => byGroup.get(group.name) ?? []),
    isSure: ({ rank, sample }, node) => {
      const kind = kinds[node];
      if (kind === undefined) return true;
      const known = answers.get(kind) ?? [];
      answers.set(kind, known);
      const answer = known[rank] ?? kind.takes(sample);
      known[rank] = answer;
      return answer;
    },
    add: addNext,
    removeNewest,
    plan: (counts) => {
      while (newest.length > 0) removeNewest();
      for (const group of groups) {
        const count = counts.get(group.group.name) ?? 0;
        for (let index = 0; index < count; index += 1) addNext(group);
      }
    },
  };
};

/** Taints and cordons are the filters' business. */
const offersRoom = (node: NodeView | undefined): boolean => node?.ready === 'True';

/** What is bound already to a node that is still coming up; its DaemonSet pods are those of its template. */
const boundTo = (
  { live }: GroupState,
  instanceId: string | undefined,
  occupancy: Occupancy,
): readonly PodView[] => {
  const node = instanceId === undefined ? undefined : live.get(instanceId)?.node.name;
  return (occupancy.get(node ?? '') ?? []).filter((pod) => !isDaemonSetPod(pod));
};
