import type { PodAffinity, PodAffinityTerm } from './constraints.ts';
import {
  addFault,
  hasField,
  type ObjectField,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from './fields.ts';
import { storedSelector } from './match-label-keys.ts';
import { readLabelSelector } from './read-label-selector.ts';
import { weightAt } from './weight.ts';

/** What a pod's constraints take from its metadata. */
export interface PodIdentity {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

function readTerm(term: ObjectField, pod: PodIdentity): PodAffinityTerm {
  const topologyKey = textAt(term, 'topologyKey') ?? '';
  if (topologyKey === '') {
    const message =
      'there is no topology key; name a label of nodes, such as topology.kubernetes.io/zone';
    addFault(term, 'topologyKey', { code: 'valueMissing', message });
  }
  const given = readLabelSelector(term, 'labelSelector');
  const keys = {
    match: textsAt(term, 'matchLabelKeys'),
    mismatch: textsAt(term, 'mismatchLabelKeys'),
  };
  const selector = given && storedSelector(given, keys, pod.labels);
  const namespaceSelector = readLabelSelector(term, 'namespaceSelector');
  const named = textsAt(term, 'namespaces');
  const ownOnly = named.length === 0 && namespaceSelector === undefined;
  return {
    topologyKey,
    ...(selector === undefined ? {} : { selector }),
    namespaces: ownOnly ? [pod.namespace] : named,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
  };
}

function readOne(field: ObjectField, pod: PodIdentity): PodAffinity | undefined {
  const required = objectsAt(field, 'requiredDuringSchedulingIgnoredDuringExecution');
  const preferred = objectsAt(field, 'preferredDuringSchedulingIgnoredDuringExecution');
  if (required.length === 0 && preferred.length === 0) return undefined;
  return {
    required: required.map((term) => readTerm(term, pod)),
    preferred: preferred.map((preference) => ({
      weight: weightAt(preference),
      term: readTerm(objectAt(preference, 'podAffinityTerm'), pod),
    })),
  };
}

/**
 * `podAffinity` and `podAntiAffinity` of `spec.affinity`. A term that names no namespaces and has no
 * namespaceSelector counts pods of the pod's own; an empty namespaceSelector stands for all namespaces
 * (GetAffinityTerms in kube-scheduler's framework, 1.37).
 */
export function readPodAffinity(
  affinity: ObjectField,
  pod: PodIdentity,
): { readonly podAffinity?: PodAffinity; readonly podAntiAffinity?: PodAffinity } {
  const read = (key: string): PodAffinity | undefined =>
    hasField(affinity, key) ? readOne(objectAt(affinity, key), pod) : undefined;
  const podAffinity = read('podAffinity');
  const podAntiAffinity = read('podAntiAffinity');
  return {
    ...(podAffinity === undefined ? {} : { podAffinity }),
    ...(podAntiAffinity === undefined ? {} : { podAntiAffinity }),
  };
}
