import type { Judge } from './answers.ts';
import { withRoom } from './growing.ts';
import { domainAt, type Topology } from './topologies.ts';

/** How many pods of one sort are in each domain of a topology key. */
export interface CountTable {
  readonly topology: Topology;
  /** On nodes that have the key at all. */
  readonly total: number;
  /** In the node's domain; 0 where the node has no such label. */
  at(node: number): number;
  /** Pods came to the node, or left it. */
  add(node: number, amount: number): void;
}

export function countTable(topology: Topology): CountTable {
  let counts = new Int32Array(0);
  let total = 0;
  return {
    topology,
    get total() {
      return total;
    },
    at: (node) => {
      const domain = domainAt(topology, node);
      return domain < 0 || domain >= counts.length ? 0 : (counts[domain] ?? 0);
    },
    add: (node, amount) => {
      const domain = domainAt(topology, node);
      if (domain < 0) return;
      counts = withRoom(counts, domain + 1);
      counts[domain] = (counts[domain] ?? 0) + amount;
      total += amount;
    },
  };
}

/** Counts on the nodes that a spread constraint looks at, and the fewest of any domain of theirs. */
export interface SpreadTable extends CountTable {
  /** Domains with at least one node that counts. */
  readonly domainCount: number;
  /** 0 where there is no domain. */
  readonly fewest: number;
  /** The fewest of the domains but for the node's; `undefined` where there is no other. */
  fewestBeside(node: number): number | undefined;
  /** Whether pods on the node count. */
  readonly counts: Judge;
  nodeAdded(node: number): void;
  nodeRemoved(node: number): void;
}

/** How many domains have each count, so that the fewest is known without looking at all. */
function histogram() {
  let domainsWith = new Int32Array(0);
  let domains = 0;
  let fewest = 0;
  const change = (count: number, by: number): void => {
    domainsWith = withRoom(domainsWith, count + 1);
    domainsWith[count] = (domainsWith[count] ?? 0) + by;
  };
  const next = (from: number): number => {
    let count = from;
    while (count < domainsWith.length && domainsWith[count] === 0) count += 1;
    return count;
  };
  return {
    get domains() {
      return domains;
    },
    get fewest() {
      return domains === 0 ? 0 : fewest;
    },
    add: (count: number): void => {
      change(count, 1);
      fewest = domains === 0 ? count : Math.min(fewest, count);
      domains += 1;
    },
    remove: (count: number): void => {
      change(count, -1);
      domains -= 1;
      fewest = domains === 0 ? 0 : next(fewest);
    },
    move: (from: number, to: number): void => {
      change(from, -1);
      change(to, 1);
      fewest = next(Math.min(fewest, to));
    },
    /** The fewest when one domain with this count is left aside. */
    fewestWithout: (count: number): number | undefined => {
      if (domains <= 1) return undefined;
      if (count > fewest || (domainsWith[fewest] ?? 0) > 1) return fewest;
      return next(fewest + 1);
    },
  };
}

export function spreadTable(topology: Topology, counts: Judge): SpreadTable {
  const table = countTable(topology);
  const levels = histogram();
  let nodesIn = new Int32Array(0);
  const isDomain = (domain: number): boolean => domain >= 0 && (nodesIn[domain] ?? 0) > 0;
  return {
    topology,
    counts,
    get total() {
      return table.total;
    },
    get domainCount() {
      return levels.domains;
    },
    get fewest() {
      return levels.fewest;
    },
    at: table.at,
    fewestBeside: (node) => {
      if (isDomain(domainAt(topology, node))) return levels.fewestWithout(table.at(node));
      return levels.domains === 0 ? undefined : levels.fewest;
    },
    add: (node, amount) => {
      if (!counts(node)) return;
      const before = table.at(node);
      table.add(node, amount);
      levels.move(before, before + amount);
    },
    nodeAdded: (node) => {
      if (!counts(node)) return;
      const domain = domainAt(topology, node);
      nodesIn = withRoom(nodesIn, domain + 1);
      const before = nodesIn[domain] ?? 0;
      nodesIn[domain] = before + 1;
      if (before === 0) levels.add(table.at(node));
    },
    nodeRemoved: (node) => {
      if (!counts(node)) return;
      const domain = domainAt(topology, node);
      const left = (nodesIn[domain] ?? 0) - 1;
      nodesIn[domain] = left;
      if (left === 0) levels.remove(table.at(node));
    },
  };
}
