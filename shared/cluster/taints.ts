import type { Taint, Toleration } from './constraints.ts';
import { parseCanonicalInt64 } from './integers.ts';

function compares(toleration: Toleration, taint: Taint): boolean {
  const actual = parseCanonicalInt64(taint.value);
  const bound = parseCanonicalInt64(toleration.value ?? '');
  if (actual === undefined || bound === undefined) return false;
  return toleration.operator === 'Gt' ? actual > bound : actual < bound;
}

/**
 * Whether one toleration tolerates one taint (Toleration.ToleratesTaint in k8s.io/api/core/v1): an
 * absent effect stands for every effect, an absent key for every key. `Gt` and `Lt` compare the
 * taint's value with the toleration's; both must be canonical 64-bit integers.
 */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== undefined && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator) {
    case 'Exists':
      return true;
    case 'Equal':
      return (toleration.value ?? '') === taint.value;
    case 'Gt':
    case 'Lt':
      return compares(toleration, taint);
  }
}

/** `PreferNoSchedule` keeps no pod away. */
export const keepsPodsAway = (taint: Taint): boolean => taint.effect !== 'PreferNoSchedule';

/** The first taint that keeps a pod with these tolerations away. */
export const untoleratedTaint = (
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): Taint | undefined =>
  taints.find(
    (taint) =>
      keepsPodsAway(taint) && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );

/** As kubectl writes it: `dedicated=gpu:NoSchedule`, `spot:NoExecute`. */
export const taintText = (taint: Taint): string =>
  `${taint.key}${taint.value === '' ? '' : `=${taint.value}`}:${taint.effect}`;
