import {
  longestReasonOfSignal,
  mostConditionsOfSignal,
  type NodeSignalDetail,
} from '#events/node-signal.ts';
import type { NodeNews } from './node-changes.ts';

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
