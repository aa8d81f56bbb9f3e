import type { PodAffinityTerm } from '#cluster/constraints.ts';
import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import type { CountTable } from '../state/count-table.ts';
import { hostnameLabel } from '../state/node-list.ts';
import type { OwnerTerm } from '../state/owner-terms.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import type { StateTables } from '../state/state-tables.ts';
import type { FitReason } from './filter.ts';
import type { FilterPlugin } from './plugin.ts';
import { queryText } from './query-text.ts';

const schedulerReasons = {
  podAffinity: "node(s) didn't match pod affinity rules",
  podAntiAffinity: "node(s) didn't match pod anti-affinity rules",
  existingAntiAffinity: "node(s) didn't satisfy existing pods anti-affinity rules",
} as const;

const reasonOf = (code: keyof typeof schedulerReasons, message: string): FitReason => ({
  code,
  message,
  schedulerReason: schedulerReasons[code],
});

interface AntiTerm {
  readonly term: PodAffinityTerm;
  readonly table: CountTable;
}

/** What the pod's own terms look at. */
interface OwnTerms {
  /** Pods that match all affinity terms together, by each topology key. */
  readonly affinity: readonly AntiTerm[];
  readonly antiAffinity: readonly AntiTerm[];
}

const requiredOf = (affinity: StatePod['podAffinity']): readonly PodAffinityTerm[] =>
  affinity?.required ?? [];

function ownTerms(pod: StatePod, { groups, predicates }: StateTables): OwnTerms {
  const affinity = requiredOf(pod.podAffinity);
  const together = affinity.length > 0 ? predicates.ofTerms(affinity) : undefined;
  return {
    affinity: affinity.flatMap((term) =>
      together === undefined ? [] : [{ term, table: groups.table(together, term.topologyKey) }],
    ),
    antiAffinity: requiredOf(pod.podAntiAffinity).map((term) => ({
      term,
      table: groups.table(predicates.ofTerms([term]), term.topologyKey),
    })),
  };
}

/** Makes known what tables the pod will look at, and what others will look at once it is placed. */
export function mentionAffinity(pod: StatePod, { groups, owners, predicates }: StateTables): void {
  const affinity = requiredOf(pod.podAffinity);
  if (affinity.length > 0) groups.mention(predicates.ofTerms(affinity));
  for (const term of requiredOf(pod.podAntiAffinity)) groups.mention(predicates.ofTerms([term]));
  owners.mention(pod);
}

/** The terms of placed pods that keep this pod away, as far as they are known now. */
function ownersAgainst(pod: StatePod, { owners, predicates }: StateTables): () => OwnerTerm[] {
  let seen = -1;
  let against: OwnerTerm[] = [];
  return () => {
    if (owners.count !== seen) {
      seen = owners.count;
      against = predicates.matchedBy(pod).flatMap((predicate) => owners.ofPredicate(predicate));
    }
    return against;
  };
}

const domainText = (topologyKey: string, value: string | undefined): string =>
  value === undefined ? `the node has no label ${topologyKey}` : `${topologyKey}=${value}`;

/**
 * InterPodAffinity: each affinity term finds in its domain a pod that matches all of them; no
 * anti-affinity term finds one, neither the pod's own nor those of placed pods that mean it. The first
 * of a series whose pods want each other may go where the domains exist.
 */
export const interPodAffinity: FilterPlugin = {
  name: 'InterPodAffinity',
  ask: (pod, tables) => {
    const { nodes, predicates } = tables;
    const affinityTerms = requiredOf(pod.podAffinity);
    const antiTerms = requiredOf(pod.podAntiAffinity);
    const wantsItself = affinityTerms.length > 0 && predicates.ofTerms(affinityTerms).matches(pod);
    /** Keys in whose domain the pod and its like exclude each other. */
    const apart = antiTerms
      .filter(
        (term) =>
          predicates.ofTerms([term]).matches(pod) || predicates.ofExistingTerm(term).matches(pod),
      )
      .map(({ topologyKey }) => topologyKey);
    const against = ownersAgainst(pod, tables);
    let made: OwnTerms | undefined;
    const own = (): OwnTerms => {
      made ??= ownTerms(pod, tables);
      return made;
    };

    const findsFriends = (node: number): boolean => {
      const { affinity } = own();
      if (affinity.every(({ table }) => table.at(node) > 0)) return true;
      return wantsItself && affinity.every(({ table }) => table.total === 0);
    };
    const hasKey = (node: number, { topologyKey }: PodAffinityTerm): boolean =>
      nodes.label(node, topologyKey) !== undefined;
    const explainAffinity = (node: number): readonly FitReason[] => {
      const missing = affinityTerms.find((term) => !hasKey(node, term));
      if (missing === undefined && findsFriends(node)) return [];
      const alone = own().affinity.filter(
        ({ term, table }) => hasKey(node, term) && table.at(node) === 0,
      );
      const terms = missing === undefined ? alone.map(({ term }) => term) : [missing];
      return terms.map((term) =>
        reasonOf(
          'podAffinity',
          `pod affinity wants ${queryText(term)}; ${domainText(term.topologyKey, nodes.label(node, term.topologyKey))}${hasKey(node, term) ? ' has none' : ''}`,
        ),
      );
    };

    return {
      ...(affinityTerms.length === 0
        ? {}
        : {
            fixed: {
              byName: affinityTerms.some(({ topologyKey }) => topologyKey === hostnameLabel),
              judge: (node: number) => affinityTerms.every((term) => hasKey(node, term)),
            },
          }),
      passes: (node) => {
        for (const { owners } of against()) {
          if (owners.at(node) > 0) return false;
        }
        if (antiTerms.length > 0 && own().antiAffinity.some(({ table }) => table.at(node) > 0)) {
          return false;
        }
        return affinityTerms.length === 0 || findsFriends(node);
      },
      looksElsewhere: () =>
        affinityTerms.length > 0 || antiTerms.length > 0 || against().length > 0,
      inARow: (node, wanted) =>
        apart.some((key) => nodes.label(node, key) !== undefined) ? Math.min(wanted, 1) : wanted,
      explain: (node) => [
        ...(affinityTerms.length === 0 ? [] : explainAffinity(node)),
        ...own()
          .antiAffinity.filter(({ table }) => table.at(node) > 0)
          .map(({ term, table }) =>
            reasonOf(
              'podAntiAffinity',
              `pod anti-affinity keeps it from ${queryText(term)}; ${domainText(term.topologyKey, nodes.label(node, term.topologyKey))} has ${table.at(node)}`,
            ),
          ),
        ...against()
          .filter(({ owners }) => owners.at(node) > 0)
          .map(
            ({ term, owners }) =>
              `${counted(owners.at(node), 'pod')} with anti-affinity to ${queryText(term)} in ${domainText(term.topologyKey, nodes.label(node, term.topologyKey))}`,
          )
          .sort(compareText)
          .map((text) => reasonOf('existingAntiAffinity', text)),
      ],
    };
  },
};
