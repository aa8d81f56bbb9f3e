import type { NodeSelectorTerm } from '#cluster/constraints.ts';
import { getOwn } from '#cluster/own-record.ts';
import type { PodView } from '#cluster/snapshot.ts';
import type { ScaleUpInput } from '../decision.ts';

/** Labels that name a node's zone. */
export const zoneLabels: readonly string[] = [
  'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.ebs.csi.aws.com/zone',
];

export const zonesOfTerms = (terms: readonly NodeSelectorTerm[] = []): readonly string[] =>
  terms.flatMap(({ matchExpressions }) =>
    matchExpressions.flatMap(({ key, operator, values }) =>
      operator === 'In' && zoneLabels.includes(key) ? values : [],
    ),
  );

/** The zones in which the pod's volumes are, or in which its claims may get theirs. Sorted, each once. */
export const zonesOfVolumes = (
  { namespace, volumes = [] }: PodView,
  { snapshot }: ScaleUpInput,
): readonly string[] => {
  const named = new Set(volumes.flatMap((one) => (one.kind === 'claim' ? [one.claim] : [])));
  const claims = (snapshot.claims ?? []).filter(
    (claim) => claim.namespace === namespace && named.has(claim.name),
  );
  const classes = new Set(claims.map(({ storageClass }) => storageClass));
  const bound = new Set(claims.map(({ volumeName }) => volumeName));
  const ofVolumes = (snapshot.volumes ?? [])
    .filter(({ name }) => bound.has(name))
    .flatMap(({ labels, nodeAffinity }) => [
      ...zonesOfTerms(nodeAffinity),
      ...zoneLabels.flatMap((key) => (getOwn(labels, key) ?? '').split('__')),
    ]);
  const ofClasses = (snapshot.storageClasses ?? [])
    .filter(({ name }) => classes.has(name))
    .flatMap(({ allowedTopologies = [] }) => allowedTopologies.flat())
    .flatMap(({ key, values }) => (zoneLabels.includes(key) ? values : []));
  return [...new Set([...ofVolumes, ...ofClasses])].filter((zone) => zone !== '').sort();
};
