import { amountIn } from '#cluster/resources.ts';
import type { SchedulingState, StatePod } from '../state/scheduling-state.ts';
import { sortedBy } from './canonical.ts';
import { type Family, familiesOf, type LabelsUsed, labelsUsedBy } from './families.ts';
import { type Nature, natureKey, natureOf } from './natures.ts';
import { antiAffinityOn, countingsOf, distinct, labelsCounted } from './queries.ts';
import type { PackingQuestion } from './question.ts';

/** Pods of one nature and with the same requests. */
export interface Item {
  /** Position among the natures. */
  readonly nature: number;
  /** What one of them asks for, by the problem's resources. */
  readonly amounts: Float64Array;
  readonly count: number;
  /** The kinds of the question, and how many of each. */
  readonly sources: readonly Source[];
}

interface Source {
  readonly kind: number;
  readonly count: number;
}

/** The question in numbers, in an order that does not depend on the order in which it was put. */
export interface Problem {
  /** What amounts are of; the first is the number of pods. */
  readonly resources: readonly string[];
  readonly natures: readonly Nature[];
  readonly items: readonly Item[];
  readonly families: readonly Family[];
  readonly labelsUsed: LabelsUsed;
  /** Positions in the state of nodes that may get pods, by name. */
  readonly existing: readonly number[];
}

interface Alike {
  readonly pod: StatePod;
  readonly sources: Source[];
}

export function problemOf(question: PackingQuestion): Problem {
  const { kinds, offers, state } = question;
  const pods = kinds.filter(({ count }) => count > 0).map(({ pod }) => pod);
  const countings = distinct([...pods.flatMap(countingsOf), ...antiAffinityOn(state)]);
  const resources = resourcesOf(pods);
  const groups = sortedBy(
    [...groupsOf(question, resources, labelsCounted(countings))],
    ([key]) => key,
  );
  const representatives = groups.map(([, items]) => ({
    ...([...items.values()][0] as Alike).pod,
    requests: {},
  }));
  state.learn(representatives);
  const natures = representatives.map((pod) => natureOf(pod, countings, state));
  const items = groups.flatMap(([, alike], nature) =>
    sortedBy([...alike], ([requests]) => requests).map(([, { pod, sources }]) => ({
      nature,
      amounts: Float64Array.from(resources, (name) =>
        name === 'pods' ? 1 : Math.max(amountIn(pod.requests, name), 0),
      ),
      count: sources.reduce((sum, { count }) => sum + count, 0),
      sources,
    })),
  );
  const labelsUsed = labelsUsedBy(natures, countings);
  return {
    resources,
    natures,
    items,
    families: familiesOf({ offers, state, natures, resources, labelsUsed }),
    labelsUsed,
    existing: sortedBy(question.existing ?? allOf(state), (node) => state.nodeAt(node).name),
  };
}

const allOf = (state: SchedulingState): readonly number[] =>
  Array.from({ length: state.nodeCount }, (_, node) => node);

const resourcesOf = (pods: readonly StatePod[]): readonly string[] => {
  const names = new Set<string>();
  for (const { requests } of pods) {
    for (const name of Object.keys(requests)) {
      if (name !== 'pods' && amountIn(requests, name) > 0) names.add(name);
    }
  }
  return ['pods', ...[...names].sort()];
};

/** Pods by nature, and then by what they ask for. */
function groupsOf(
  { kinds }: PackingQuestion,
  resources: readonly string[],
  labels: readonly string[],
): ReadonlyMap<string, ReadonlyMap<string, Alike>> {
  const groups = new Map<string, Map<string, Alike>>();
  kinds.forEach(({ pod, count }, kind) => {
    if (count <= 0) return;
    const key = natureKey(pod, labels);
    const group = groups.get(key) ?? new Map<string, Alike>();
    groups.set(key, group);
    const requests = resources.map((name) => amountIn(pod.requests, name)).join();
    const alike = group.get(requests) ?? { pod, sources: [] };
    group.set(requests, alike);
    alike.sources.push({ kind, count });
  });
  return groups;
}

/** What a unit of each resource weighs beside the others: its part of all that is asked for. */
export const weightsOf = ({ resources, items }: Problem): Float64Array =>
  Float64Array.from(resources, (_, resource) => {
    const asked = items.reduce(
      (sum, { amounts, count }) => sum + count * (amounts[resource] ?? 0),
      0,
    );
    // The number of pods is a limit and no stuff that a node is filled with.
    return resource > 0 && asked > 0 ? 1_000_000 / asked : 0;
  });
