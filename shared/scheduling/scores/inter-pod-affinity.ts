import type { PodAffinityTerm, Weighted } from '#cluster/constraints.ts';
import type { CountTable } from '../state/count-table.ts';
import type { OwnerTerm } from '../state/owner-terms.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import type { StateTables } from '../state/state-tables.ts';
import { toPlaceInRange } from './normalise.ts';
import type { ScorePlugin } from './score-plugin.ts';

/** So much for each pod that the table counts in the node's domain. */
interface Pull {
  readonly table: CountTable;
  readonly weight: number;
}

/** The pod's own preferences; anti-affinity weighs against. */
const preferredTerms = ({
  podAffinity,
  podAntiAffinity,
}: StatePod): readonly Weighted<PodAffinityTerm>[] => [
  ...(podAffinity?.preferred ?? []),
  ...(podAntiAffinity?.preferred ?? []).map(({ weight, term }) => ({ weight: -weight, term })),
];

const ownPulls = (pod: StatePod, { groups, predicates }: StateTables): readonly Pull[] =>
  preferredTerms(pod).map(({ weight, term }) => ({
    weight,
    table: groups.table(predicates.ofTerms([term]), term.topologyKey),
  }));

/** What placed pods say of this one, as far as their terms are known now. */
function pullsOfOthers(pod: StatePod, tables: StateTables): () => readonly Pull[] {
  const { predicates, preferences } = tables;
  const { drawing, repelling } = preferences;
  let seen = -1;
  let pulls: readonly Pull[] = [];
  const pullOf =
    (sign: number) =>
    ({ owners, weight }: OwnerTerm): Pull => ({ table: owners, weight: sign * weight });
  return () => {
    if (drawing.count + repelling.count === seen) return pulls;
    seen = drawing.count + repelling.count;
    pulls = predicates
      .matchedBy(pod)
      .flatMap((predicate) => [
        ...drawing.ofPredicate(predicate).map(pullOf(1)),
        ...repelling.ofPredicate(predicate).map(pullOf(-1)),
      ]);
    return pulls;
  };
}

const sumAt = (pulls: readonly Pull[], node: number): number => {
  let sum = 0;
  for (const { table, weight } of pulls) sum += weight * table.at(node);
  return sum;
};

/**
 * InterPodAffinity: what the pod prefers to be with or apart from, and what placed pods prefer of it; one
 * that requires the pod counts as if it preferred it with weight 1.
 */
export const interPodAffinity: ScorePlugin = {
  name: 'InterPodAffinity',
  weight: 2,
  mention: (pod, { groups, predicates, preferences }) => {
    for (const { term } of preferredTerms(pod)) groups.mention(predicates.ofTerms([term]));
    for (const terms of [preferences.drawing, preferences.repelling]) {
      terms.prepare();
      terms.mention(pod);
    }
  },
  ask: (pod, tables) => {
    const others = pullsOfOthers(pod, tables);
    let made: readonly Pull[] | undefined;
    const own = (): readonly Pull[] => {
      made ??= ownPulls(pod, tables);
      return made;
    };
    return {
      changesWith: 'anyPod',
      isLevel: () => own().length === 0 && others().length === 0,
      raw: (node) => sumAt(own(), node) + sumAt(others(), node),
      normalise: toPlaceInRange,
    };
  },
};
