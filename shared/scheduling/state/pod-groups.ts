import { getOwn } from '#cluster/own-record.ts';
import type { Judge } from './answers.ts';
import { type CountTable, countTable, type SpreadTable, spreadTable } from './count-table.ts';
import type { NodeList } from './node-list.ts';
import { type PodFacts, type PodPredicate, predicateIndex } from './predicates.ts';
import type { StatePod } from './scheduling-state.ts';
import type { Topologies } from './topologies.ts';

/** Pods that no predicate tells apart, with how many of them are on each node. */
interface Group {
  readonly facts: PodFacts;
  readonly onNodes: Map<number, number>;
  /** Tables that count them. */
  readonly tables: CountTable[];
}

/**
 * The placed pods by the labels that somebody asks about, and the tables that count them. Nothing is
 * kept before the first table is asked for; then all pods are looked at once, and again only when a
 * predicate speaks of a label key that none before it did.
 */
export interface PodGroups {
  /** Says that a table of it may be asked for, so that all are prepared for at once. */
  mention(predicate: PodPredicate): void;
  table(predicate: PodPredicate, topologyKey: string): CountTable;
  /** `counts` must be the same for the same `nodes` text. */
  spreadTable(predicate: PodPredicate, topologyKey: string, counted: CountedNodes): SpreadTable;
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
  nodeAdded(node: number): void;
  nodeRemoved(node: number): void;
}

/** The nodes on which a spread constraint counts pods, and what names that choice. */
export interface CountedNodes {
  readonly key: string;
  readonly counts: Judge;
}

type Branch = Map<string | undefined, Branch | Group>;

export function podGroups(nodes: NodeList, topologies: Topologies): PodGroups {
  const keys: string[] = [];
  const mentioned = new Set<PodPredicate>();
  const tables = new Map<string, CountTable>();
  const spreadTables: SpreadTable[] = [];
  const tablesOf = new Map<PodPredicate, CountTable[]>();
  const counted = predicateIndex();
  let groups: Group[] = [];
  let root: Branch = new Map();
  let stale = true;

  const tablesFor = (facts: PodFacts): CountTable[] =>
    counted.matchedBy(facts).flatMap((predicate) => tablesOf.get(predicate) ?? []);
  const grow = (facts: PodFacts): Group => {
    const group = { facts, onNodes: new Map<number, number>(), tables: tablesFor(facts) };
    groups.push(group);
    return group;
  };
  const below = (branch: Branch, value: string | undefined): Branch => {
    let next = branch.get(value) as Branch | undefined;
    if (next === undefined) {
      next = new Map();
      branch.set(value, next);
    }
    return next;
  };
  const groupOf = (pod: StatePod): Group => {
    let branch = below(root, pod.namespace);
    for (const key of keys) branch = below(branch, getOwn(pod.labels, key));
    const alive = pod.deletedAtMs === undefined ? 'alive' : 'going';
    let group = branch.get(alive) as Group | undefined;
    if (group === undefined) {
      group = grow(pod);
      branch.set(alive, group);
    }
    return group;
  };
  const note = ({ onNodes }: Group, node: number, amount: number): void => {
    const count = (onNodes.get(node) ?? 0) + amount;
    if (count === 0) onNodes.delete(node);
    else onNodes.set(node, count);
  };
  const regroup = (): void => {
    groups = [];
    root = new Map();
    stale = false;
    for (let node = 0; node < nodes.count; node += 1) {
      for (const pod of nodes.podsOn(node)) note(groupOf(pod), node, 1);
    }
  };
  /** Before any table there is nothing to keep. */
  const change = (pod: StatePod, node: number, amount: number): void => {
    if (tables.size === 0 || stale) {
      stale = true;
      if (tables.size === 0) return;
      for (const predicate of counted.matchedBy(pod)) {
        for (const table of tablesOf.get(predicate) ?? []) table.add(node, amount);
      }
      return;
    }
    const group = groupOf(pod);
    note(group, node, amount);
    for (const table of group.tables) table.add(node, amount);
  };

  const mention = (predicate: PodPredicate): void => {
    if (mentioned.has(predicate)) return;
    mentioned.add(predicate);
    for (const key of predicate.keys) {
      if (keys.includes(key)) continue;
      keys.push(key);
      stale = true;
    }
  };
  const fill = (predicate: PodPredicate, table: CountTable): void => {
    mention(predicate);
    if (stale) regroup();
    const others = tablesOf.get(predicate);
    if (others === undefined) {
      tablesOf.set(predicate, [table]);
      counted.add(predicate);
    } else others.push(table);
    for (const group of groups) {
      if (!predicate.matches(group.facts)) continue;
      group.tables.push(table);
      for (const [node, count] of group.onNodes) table.add(node, count);
    }
  };

  return {
    mention,
    table: (predicate, topologyKey) => {
      const key = JSON.stringify([predicate.id, topologyKey]);
      let table = tables.get(key);
      if (table === undefined) {
        table = countTable(topologies.of(topologyKey));
        fill(predicate, table);
        tables.set(key, table);
      }
      return table;
    },
    spreadTable: (predicate, topologyKey, { key: countedKey, counts }) => {
      const key = JSON.stringify([predicate.id, topologyKey, countedKey]);
      let table = tables.get(key) as SpreadTable | undefined;
      if (table === undefined) {
        table = spreadTable(topologies.of(topologyKey), counts);
        for (let node = 0; node < nodes.count; node += 1) table.nodeAdded(node);
        fill(predicate, table);
        tables.set(key, table);
        spreadTables.push(table);
      }
      return table;
    },
    place: (pod, node) => change(pod, node, 1),
    remove: (pod, node) => change(pod, node, -1),
    nodeAdded: (node) => {
      for (const table of spreadTables) table.nodeAdded(node);
    },
    nodeRemoved: (node) => {
      for (const table of spreadTables) table.nodeRemoved(node);
    },
  };
}
