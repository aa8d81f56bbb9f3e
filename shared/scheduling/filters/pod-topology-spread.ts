import type { TopologySpreadConstraint } from '#cluster/constraints.ts';
import { untoleratedTaint } from '#cluster/taints.ts';
import type { SpreadTable } from '../state/count-table.ts';
import { hostnameLabel } from '../state/node-list.ts';
import type { CountedNodes } from '../state/pod-groups.ts';
import type { PodPredicate } from '../state/predicates.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import { labelMatcher } from '../state/selectors.ts';
import type { StateTables } from '../state/state-tables.ts';
import type { FitReason } from './filter.ts';
import { looksAtNames, matchesDemand } from './node-affinity.ts';
import type { FilterPlugin } from './plugin.ts';
import { podsText } from './query-text.ts';

const notMatched = "node(s) didn't match pod topology spread constraints";

/** A constraint of one pod, with the counts that it looks at. */
interface Asked {
  readonly constraint: TopologySpreadConstraint;
  /** 1 where the pod is one of those that it spreads. */
  readonly self: 0 | 1;
  /** Its like, once placed, are counted. */
  readonly countsSelf: boolean;
  readonly table: SpreadTable;
}

/** The policies of a constraint, and the keys that a node must have to count. */
export interface CountingRule
  extends Pick<TopologySpreadConstraint, 'nodeAffinityPolicy' | 'nodeTaintsPolicy'> {
  readonly topologyKeys: readonly string[];
}

/** The constraints that refuse nodes; the others only weigh. */
export const hardSpread = (pod: StatePod): readonly TopologySpreadConstraint[] =>
  (pod.topologySpread ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );

/** Nodes on which pods are counted: those with every key that pass the policies of the constraint. */
export function countedNodes(
  pod: StatePod,
  { nodeAffinityPolicy, nodeTaintsPolicy, topologyKeys }: CountingRule,
  tables: StateTables,
): CountedNodes {
  const { nodes } = tables;
  const keys = [...new Set(topologyKeys)].sort();
  const demand = nodeAffinityPolicy === 'Honor' ? pod : undefined;
  const tolerations = nodeTaintsPolicy === 'Honor' ? pod.tolerations : undefined;
  const key = JSON.stringify([
    keys,
    demand === undefined ? null : [demand.nodeSelector, demand.requiredNodeAffinity ?? null],
    tolerations ?? null,
  ]);
  const byName = keys.includes(hostnameLabel) || (demand !== undefined && looksAtNames(demand));
  const counts = tables.shared(`spread ${key}`, () => ({
    byName,
    judge: (node) =>
      keys.every((one) => nodes.label(node, one) !== undefined) &&
      (demand === undefined || matchesDemand(demand, nodes.at(node))) &&
      (tolerations === undefined ||
        untoleratedTaint(nodes.templateOf(node).taints, tolerations) === undefined),
  }));
  return { key, counts };
}

const minimum = ({ constraint, table }: Asked): number =>
  table.domainCount < (constraint.minDomains ?? 1) ? 0 : table.fewest;

const isSkewed = (asked: Asked, node: number): boolean =>
  asked.table.at(node) + asked.self - minimum(asked) > asked.constraint.maxSkew;

/** How many of its like in a row the domain takes: each raises its count, and perhaps the fewest. */
function roomInDomain({ constraint, table, countsSelf }: Asked, node: number): number {
  if (!countsSelf || !table.counts(node)) return Number.POSITIVE_INFINITY;
  const floor = table.domainCount < (constraint.minDomains ?? 1) ? 0 : table.fewestBeside(node);
  if (floor === undefined) return Number.POSITIVE_INFINITY;
  return floor + constraint.maxSkew - table.at(node);
}

function missingKey({ topologyKey }: TopologySpreadConstraint): FitReason {
  return {
    code: 'topologySpread',
    message: `the pod is spread over ${topologyKey}, and the node has no such label`,
    schedulerReason: `${notMatched} (missing required label)`,
  };
}

function skewed(asked: Asked, node: number, domain: string): FitReason {
  const { constraint, table, self } = asked;
  const { topologyKey, maxSkew, minDomains = 1, selector } = constraint;
  const fewest =
    table.domainCount < minDomains
      ? `counts as 0 with ${table.domainCount} of ${minDomains} domains (minDomains)`
      : `has ${table.fewest}`;
  return {
    code: 'topologySpread',
    message: `${topologyKey}=${domain} would have ${table.at(node) + self} of the ${podsText(selector)}; the domain with the fewest ${fewest}, and maxSkew is ${maxSkew}`,
    schedulerReason: notMatched,
  };
}

const predicateOf = (
  pod: StatePod,
  { selector }: TopologySpreadConstraint,
  { predicates }: StateTables,
): PodPredicate => predicates.ofSpread(pod.namespace, selector);

const askConstraint = (
  pod: StatePod,
  constraint: TopologySpreadConstraint,
  tables: StateTables,
): Asked => {
  const predicate = predicateOf(pod, constraint, tables);
  const topologyKeys = hardSpread(pod).map(({ topologyKey }) => topologyKey);
  const counted = countedNodes(pod, { ...constraint, topologyKeys }, tables);
  return {
    constraint,
    self: labelMatcher(constraint.selector)(pod.labels) ? 1 : 0,
    countsSelf: predicate.matches(pod),
    table: tables.groups.spreadTable(predicate, constraint.topologyKey, counted),
  };
};

/** Makes known what tables the pod will look at. */
export function mentionSpread(pod: StatePod, tables: StateTables): void {
  for (const constraint of hardSpread(pod)) {
    tables.groups.mention(predicateOf(pod, constraint, tables));
  }
}

/** PodTopologySpread: no domain gets more than maxSkew pods above the domain with the fewest. */
export const podTopologySpread: FilterPlugin = {
  name: 'PodTopologySpread',
  ask: (pod, tables) => {
    const constraints = hardSpread(pod);
    if (constraints.length === 0) return undefined;
    const { nodes } = tables;
    // Not before a node is asked about: by then all questions are known, and pods are grouped once.
    let made: readonly Asked[] | undefined;
    const asked = (): readonly Asked[] => {
      made ??= constraints.map((constraint) => askConstraint(pod, constraint, tables));
      return made;
    };
    const hasKey = (node: number, { topologyKey }: TopologySpreadConstraint): boolean =>
      nodes.label(node, topologyKey) !== undefined;
    return {
      fixed: {
        byName: constraints.some(({ topologyKey }) => topologyKey === hostnameLabel),
        judge: (node) => constraints.every((constraint) => hasKey(node, constraint)),
      },
      passes: (node) => {
        for (const one of asked()) {
          if (isSkewed(one, node)) return false;
        }
        return true;
      },
      looksElsewhere: () => true,
      inARow: (node, wanted) =>
        asked().reduce((most, one) => Math.min(most, roomInDomain(one, node)), wanted),
      explain: (node) =>
        asked().flatMap((one) => {
          const domain = nodes.label(node, one.constraint.topologyKey);
          if (domain === undefined) return [missingKey(one.constraint)];
          return isSkewed(one, node) ? [skewed(one, node, domain)] : [];
        }),
    };
  },
};
