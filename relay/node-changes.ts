import type { NodeConditionRef, NodeSignalDetail } from '#events/node-signal.ts';
import type { NodeChange } from '#wiring/relay.ts';

type SeenNode = Extract<NodeChange, { kind: 'changed' }>['object'];

/** What is news of one node. */
export interface NodeNews {
  readonly node: string;
  readonly uid: string;
  readonly change: NodeSignalDetail['change'];
  /** Those whose status changed. */
  readonly conditions: readonly NodeConditionRef[];
}

export interface NodeChanges {
  /** What is news in this, in the order of its nodes. */
  note(change: NodeChange): readonly NodeNews[];
  /** Nodes remembered now. */
  size(): number;
}

/**
 * Remembers the status of each condition of each node, so that only changes of status are news: kubelets
 * write their node every few minutes with nothing changed but times. The first list is no news, it is
 * where the relay begins; later ones show what the watch has missed. A condition that is not there is
 * taken as `False`, and Ready as `Unknown`: a detector that adds its conditions to every node is no news,
 * a node that is Ready for the first time is. Of more than `most` nodes the one remembered longest is
 * forgotten, which costs at most a signal that it appeared.
 */
export function createNodeChanges(most = 20_000): NodeChanges {
  let known: Map<string, Known> | undefined;

  const noteNode = (node: SeenNode, nodes: Map<string, Known>): readonly NodeNews[] => {
    const before = nodes.get(node.uid);
    const after = { name: node.name, statuses: statusesOf(node) };
    nodes.delete(node.uid);
    nodes.set(node.uid, after);
    const oldest = nodes.size > most ? nodes.keys().next().value : undefined;
    if (oldest !== undefined) nodes.delete(oldest);
    const conditions = changedConditions(before?.statuses ?? new Map(), node);
    if (before !== undefined && conditions.length === 0) return [];
    const change = before === undefined ? 'appeared' : 'changed';
    return [{ node: node.name, uid: node.uid, change, conditions }];
  };

  const noteGone = ({ name, uid }: { name: string; uid: string }): readonly NodeNews[] =>
    known?.delete(uid) ? [{ node: name, uid, change: 'gone', conditions: [] }] : [];

  const noteList = (objects: readonly SeenNode[]): readonly NodeNews[] => {
    const isFirst = known === undefined;
    const nodes = known ?? new Map<string, Known>();
    known = nodes;
    const there = new Set(objects.map(({ uid }) => uid));
    const gone = [...nodes].filter(([uid]) => !there.has(uid));
    const news = [
      ...gone.flatMap(([uid, { name }]) => noteGone({ name, uid })),
      ...objects.flatMap((node) => noteNode(node, nodes)),
    ];
    return isFirst ? [] : news;
  };

  return {
    note(change) {
      switch (change.kind) {
        case 'listed':
          return noteList(change.objects);
        case 'changed':
          known ??= new Map();
          return noteNode(change.object, known);
        case 'gone':
          return noteGone(change.object);
      }
    },
    size: () => known?.size ?? 0,
  };
}

interface Known {
  readonly name: string;
  readonly statuses: Statuses;
}

type Statuses = ReadonlyMap<string, string>;

const statusesOf = ({ conditions }: SeenNode): Statuses =>
  new Map(conditions.map(({ type, status }) => [type, status]));

const withoutCondition = (type: string): string => (type === 'Ready' ? 'Unknown' : 'False');

/** Those whose status is another one now, and those that are no longer there and were not as if absent. */
function changedConditions(before: Statuses, node: SeenNode): readonly NodeConditionRef[] {
  const now = statusesOf(node);
  const changed = node.conditions.filter(
    ({ type, status }) => status !== (before.get(type) ?? withoutCondition(type)),
  );
  const lost = [...before].filter(
    ([type, status]) => !now.has(type) && status !== withoutCondition(type),
  );
  return [...changed, ...lost.map(([type]) => ({ type, status: withoutCondition(type) }))];
}
