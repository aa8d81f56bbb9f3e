import { withRoom } from './growing.ts';
import type { NodeList } from './node-list.ts';

/** Which domain of one topology key each node is in; domains are numbered from 0. */
export interface Topology {
  readonly key: string;
  /** By node; -1 where the node has no such label. Replaced when it grows. */
  domains: Int32Array;
  readonly domainCount: number;
  valueOf(domain: number): string;
}

export interface Topologies {
  of(key: string): Topology;
  nodeAdded(node: number): void;
  /** The newest; its tables have let go of it before. */
  nodeRemoved(node: number): void;
}

export const domainAt = (topology: Topology, node: number): number => topology.domains[node] ?? -1;

interface Kept {
  readonly topology: Topology;
  readonly add: (node: number) => void;
  readonly remove: (node: number) => void;
}

function topologyOf(key: string, nodes: NodeList): Kept {
  const numbers = new Map<string, number>();
  const values: string[] = [];
  /** The node that each domain came with: it goes with it, being the newest. */
  const cameWith: number[] = [];
  const topology: Topology = {
    key,
    domains: new Int32Array(0),
    get domainCount() {
      return values.length;
    },
    valueOf: (domain) => values[domain] ?? '',
  };
  const domainOf = (value: string, node: number): number => {
    let domain = numbers.get(value);
    if (domain === undefined) {
      domain = values.length;
      numbers.set(value, domain);
      values.push(value);
      cameWith.push(node);
    }
    return domain;
  };
  return {
    topology,
    add: (node) => {
      const value = nodes.label(node, key);
      topology.domains = withRoom(topology.domains, node + 1);
      topology.domains[node] = value === undefined ? -1 : domainOf(value, node);
    },
    remove: (node) => {
      if (cameWith.at(-1) !== node) return;
      cameWith.pop();
      numbers.delete(values.pop() ?? '');
    },
  };
}

export function topologies(nodes: NodeList): Topologies {
  const known = new Map<string, Kept>();
  return {
    of: (key) => {
      let kept = known.get(key);
      if (kept === undefined) {
        kept = topologyOf(key, nodes);
        known.set(key, kept);
        for (let node = 0; node < nodes.count; node += 1) kept.add(node);
      }
      return kept.topology;
    },
    nodeAdded: (node) => {
      for (const { add } of known.values()) add(node);
    },
    nodeRemoved: (node) => {
      for (const { remove } of known.values()) remove(node);
    },
  };
}
