import { compareText } from '#cluster/order.ts';
import type { Problem } from '#cluster/problem.ts';
import type { LedgerEntry } from './ledger.ts';
import { defaultBackOffPolicy, type ScalingPolicy } from './policy.ts';
import { hasPassed } from './stored-time.ts';

/** So long after it came up a late node is told of: long enough to be read, and to see what is surplus. */
export const lateNodeSeconds = 3600;

/**
 * Nodes that came up after all when nobody counted on them any more: past their start limit, or launched
 * while their group was backed off. What another group was raised to meanwhile may be too much; nothing
 * takes it back in silence. One that comes after its failure is forgotten is no news.
 */
export const lateNodes = (
  ledger: readonly LedgerEntry[],
  policy: ScalingPolicy,
  nowMs: number,
): readonly Problem[] => {
  const { resetSeconds } = policy.backOff ?? defaultBackOffPolicy;
  return ledger
    .flatMap(({ group, instances }) =>
      Object.entries(instances).map(([id, seen]) => ({ group, id, ...seen })),
    )
    .flatMap(({ group, id, usableAtMs, failedAtMs, givenUpAtMs }) => {
      const sinceMs = failedAtMs ?? givenUpAtMs;
      if (usableAtMs === undefined || sinceMs === undefined) return [];
      const lateMs = usableAtMs - sinceMs;
      if (lateMs < 0 || lateMs > resetSeconds * 1000) return [];
      if (hasPassed(lateNodeSeconds, usableAtMs, nowMs)) return [];
      return [lateNode({ group, id, minutes: Math.ceil(lateMs / 60_000) })];
    })
    .sort((a, b) => compareText(a.field ?? '', b.field ?? ''));
};

interface Late {
  readonly group: string;
  readonly id: string;
  readonly minutes: number;
}

const lateNode = ({ group, id, minutes }: Late): Problem => ({
  field: `groups[${group}].instances[${id}]`,
  code: 'lateNode',
  message: `instance ${id} of ${group} came up ${minutes} min after it was given up: its pods were planned elsewhere meanwhile, so another group's new node may be surplus`,
});
