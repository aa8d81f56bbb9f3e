import type { NodeSelectorRequirement, NodeSelectorTerm } from '#cluster/constraints.ts';
import type { SchedulablePod } from './node.ts';

const sortedEntries = (record: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Object.keys(record)
    .sort()
    .map((key) => [key, record[key]]);

const requirementKey = ({ key, operator, values }: NodeSelectorRequirement): unknown => [
  key,
  operator,
  values,
];

const termKey = (term: NodeSelectorTerm): unknown => [
  term.matchExpressions.map(requirementKey),
  term.matchFields.map(requirementKey),
];

const buildKey = (pod: SchedulablePod): string =>
  JSON.stringify([
    sortedEntries(pod.requests),
    sortedEntries(pod.nodeSelector),
    pod.requiredNodeAffinity?.map(termKey) ?? null,
    pod.tolerations.map(({ key, operator, value, effect }) => [
      key ?? null,
      operator,
      value ?? null,
      effect ?? null,
    ]),
    pod.hostPorts.map(({ protocol, hostIp, port }) => [protocol, hostIp, port]),
    pod.notJudged,
  ]);

/** Views are never changed, so that a key once built stays right for its object. */
const known = new WeakMap<SchedulablePod, string>();

/**
 * Names the class of pods that every filter answers alike for: pods with the same key fit the same
 * nodes. Priority, names and times are not in it.
 */
export function schedulingKey(pod: SchedulablePod): string {
  let key = known.get(pod);
  if (key === undefined) {
    key = buildKey(pod);
    known.set(pod, key);
  }
  return key;
}
