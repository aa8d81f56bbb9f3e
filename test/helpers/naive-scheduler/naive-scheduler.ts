import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import type { NaiveCluster, NaiveNode } from './naive-cluster.ts';
import { nodeFilters, podFilters } from './naive-filters.ts';
import { naiveStorageRejection, volumeFilters } from './naive-volumes.ts';

/** The node names that PreFilter of NodeName and NodeAffinity leave, and who says so. */
function namesLeft(pod: StatePod): {
  readonly names?: readonly string[];
  readonly by: string[];
  readonly conflict?: true;
} {
  let names = pod.requestedNode === undefined ? undefined : [pod.requestedNode];
  const by = names === undefined ? [] : ['NodeName'];
  const terms = pod.requiredNodeAffinity ?? [];
  const perTerm = terms.map(({ matchFields }) =>
    matchFields
      .filter(({ operator }) => operator === 'In')
      .map(({ values }) => values)
      .reduce<readonly string[] | undefined>(
        (left, values) =>
          left === undefined ? values : left.filter((one) => values.includes(one)),
        undefined,
      ),
  );
  if (terms.length > 0 && perTerm.every((one) => one !== undefined)) {
    const before = names;
    const union = perTerm.flat();
    if (union.length === 0) return { by, conflict: true };
    names = before === undefined ? union : union.filter((name) => before.includes(name));
    by.unshift('NodeAffinity');
  }
  return names === undefined ? { by } : { names, by };
}

/** What kube-scheduler would say of one node: nothing where the pod fits. */
export function naiveReasons(
  pod: StatePod,
  where: NaiveNode,
  cluster: NaiveCluster,
): readonly string[] {
  const { names, by, conflict } = namesLeft(pod);
  if (conflict) return ['pod affinity terms conflict'];
  if (names?.length === 0) {
    return [`node(s) didn't satisfy plugin(s) [${by.join(' ')}] simultaneously`];
  }
  const rejection = naiveStorageRejection(pod, cluster);
  if (rejection !== undefined) return [rejection];
  if (names !== undefined && !names.includes(where.node.name)) {
    return [`node(s) didn't satisfy plugin(s) [${by.join(' ')}]`];
  }
  for (const filter of [...nodeFilters, ...volumeFilters, ...podFilters]) {
    const reasons = filter(pod, where, cluster);
    if (reasons.length > 0) return [...reasons].sort();
  }
  return [];
}
