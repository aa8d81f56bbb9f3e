import {
  longestReasonOfSignal,
  mostConditionsOfSignal,
  type NodeSignalDetail,
} from '#events/node-signal.ts';
import type { Batching } from './batcher.ts';
import type { NodeNews } from './node-changes.ts';

/** One signal a node, ten a minute: each causes a look at the whole cluster. */
export const nodeBatching: Batching<NodeNews> = {
  keyOf: ({ uid }) => uid,
  merge,
  quietMs: 1_000,
  longestMs: 5_000,
  mostPerMinute: 10,
  mostKeys: 1_000,
};

/** Both as one: the conditions as they are in the end. */
function merge(before: NodeNews, after: NodeNews): NodeNews {
  if (after.change !== 'changed') return after;
  const latest = [...before.conditions, ...after.conditions].map(
    (each) => [each.type, each] as const,
  );
  const change = before.change === 'appeared' ? 'appeared' : 'changed';
  return { ...after, change, conditions: [...new Map(latest).values()] };
}

/** The event's detail, within the bounds of its schema; `more`: how many other nodes it stands for. */
export function nodeSignal(
  { cluster, network }: Pick<NodeSignalDetail, 'cluster' | 'network'>,
  { node, uid, change, conditions }: NodeNews,
  more: number,
): NodeSignalDetail {
  return {
    cluster,
    network,
    node,
    uid,
    change,
    conditions: conditions.slice(0, mostConditionsOfSignal).map(({ type, status, reason }) => ({
      type,
      status,
      ...(reason !== undefined && { reason: reason.slice(0, longestReasonOfSignal) }),
    })),
    more,
  };
}
