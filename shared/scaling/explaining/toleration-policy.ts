import type { Toleration } from '#cluster/constraints.ts';
import { tolerationsWhitelist } from '#cluster/read-namespace.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';

/**
 * Whether one toleration of a whitelist covers another (`isSuperset` of pkg/util/tolerations in Kubernetes 1.37:
 * it tolerates at least the same taints, for at least as long).
 */
const covers = (allowed: Toleration, asked: Toleration): boolean => {
  if (allowed.key && allowed.key !== asked.key) return false;
  if (!allowed.key && allowed.operator !== 'Exists') return false;
  if (allowed.effect !== undefined && allowed.effect !== asked.effect) return false;
  // What is asked for here is tolerated for good.
  if (allowed.effect === 'NoExecute' && allowed.tolerationSeconds !== undefined) return false;
  if (allowed.operator === 'Exists') return true;
  return asked.operator === allowed.operator && (asked.value ?? '') === (allowed.value ?? '');
};

/** What is known of policies that would keep pods of the namespace from having the tolerations. */
export const tolerationPolicyText = (
  tolerations: readonly Toleration[],
  namespace: string,
  { namespaces = [] }: ClusterSnapshot,
): string => {
  const view = namespaces.find(({ name }) => name === namespace);
  if (view === undefined) {
    return `the snapshot has no namespace ${namespace}, so whether a policy allows it there is not known`;
  }
  const { tolerationsWhitelist: whitelist = [] } = view;
  if (whitelist.length === 0) {
    return `the namespace ${namespace} names no tolerations that alone are allowed (${tolerationsWhitelist}); other admission policies are not in the snapshot`;
  }
  const refused = tolerations.filter((one) => !whitelist.some((allowed) => covers(allowed, one)));
  return refused.length === 0
    ? `the namespace ${namespace} allows it (${tolerationsWhitelist})`
    : `the namespace ${namespace} does not allow it: ${tolerationsWhitelist} there must have ${refused.map(({ key = '' }) => key).join(', ')} too`;
};
