import type { SchedulingState } from '../state/scheduling-state.ts';
import { type Family, looksOf } from './families.ts';
import { createPricing } from './pricing.ts';
import type { Problem } from './problem.ts';

/** A node being filled: one there is, or a new one, which is the cheapest choice of its family that holds its pods. */
export interface Bin {
  /** Position in the state. */
  readonly node: number;
  readonly family: Family;
  /** Bins of one realm are alike to every pod but for room and name. */
  readonly realm: number;
  readonly load: Float64Array;
  /** Position among the family's choices; -1: it is empty and costs nothing. */
  choice: number;
  price: number;
  /** It was got to be filled: it is no less than this choice until `settleSizes`. -1: it is as its pods need. */
  floor: number;
  /** What is on it: positions of items, and how many of each. */
  readonly items: number[];
  readonly counts: number[];
}

export interface Bins {
  readonly all: Bin[];
  /** Realms of existing nodes come first, then one for each family of offers. */
  readonly realms: { readonly family: Family; readonly bins: Bin[] }[];
  /** Adds an empty node to the state. */
  open(realm: number): Bin;
  /** Takes the newest one away again, which must be empty. */
  dropNewest(): void;
  put(bin: Bin, item: number, count: number): void;
  /** Recounts what the bin is after its load was changed. */
  reprice(bin: Bin): void;
  /** Every bin is the cheapest that holds its pods again. */
  settleSizes(): void;
}

const withoutRoom = (): never => {
  throw new Error('a node was given more pods than it holds');
};

export function createBins(problem: Problem, state: SchedulingState): Bins {
  const { items, resources, families } = problem;
  const all: Bin[] = [];
  const realms: Bins['realms'] = [];
  const add = (node: number, family: Family, realm: number): Bin => {
    const bin: Bin = {
      node,
      family,
      realm,
      load: new Float64Array(resources.length),
      choice: -1,
      price: 0,
      floor: -1,
      items: [],
      counts: [],
    };
    all.push(bin);
    realms[realm]?.bins.push(bin);
    return bin;
  };
  const existing = new Map<string, number>();
  for (const node of problem.existing) {
    const template = state.nodeAt(node);
    const looks = looksOf(template, problem.labelsUsed);
    const realm = existing.get(looks) ?? realms.length;
    const amounts = Float64Array.from(resources, (name) => state.free(node, name));
    const pricing = createPricing([{ offer: -1, amounts, price: 0, limit: 1, used: 0 }]);
    const family = { template, pricing, existing: true, suits: [] };
    if (realm === realms.length) realms.push({ family, bins: [] });
    existing.set(looks, realm);
    add(node, family, realm);
  }
  const firstOffered = realms.length;
  for (const family of families) realms.push({ family, bins: [] });
  const reprice = (bin: Bin): void => {
    const { choices } = bin.family.pricing;
    const choice = bin.load[0] === 0 ? -1 : choiceFor(bin, bin.load);
    if (choice < 0 && bin.load[0] !== 0) withoutRoom();
    const before = choices[bin.choice];
    const after = choices[choice];
    if (before) before.used -= 1;
    if (after) after.used += 1;
    bin.choice = choice;
    bin.price = after?.price ?? 0;
  };
  return {
    all,
    realms,
    open: (realm) => {
      const { family } = realms[realm] as Bins['realms'][number];
      // A name that no node can have.
      const name = `new/${all.length}`;
      return add(state.addNode(family.template, name), family, Math.max(realm, firstOffered));
    },
    dropNewest: () => {
      const bin = all.pop();
      if (bin) realms[bin.realm]?.bins.pop();
      state.removeNewestNode();
    },
    put: (bin, item, count) => {
      const amounts = items[item]?.amounts ?? [];
      for (let resource = 0; resource < bin.load.length; resource += 1) {
        bin.load[resource] = (bin.load[resource] as number) + count * (amounts[resource] as number);
      }
      changeCount(bin, item, count);
      reprice(bin);
    },
    reprice,
    settleSizes: () => {
      for (const bin of all) {
        if (bin.floor < 0) continue;
        bin.floor = -1;
        reprice(bin);
      }
    },
  };
}

/** What the bin would be with that load; -1: nothing that can be had holds it. */
export function choiceFor({ floor, choice, family }: Bin, load: Float64Array): number {
  const { choices, cheapest } = family.pricing;
  const amounts = choices[floor]?.amounts;
  return amounts && holds(amounts, load) ? floor : cheapest(load, choice);
}

const holds = (amounts: Float64Array, load: Float64Array): boolean => {
  for (let resource = 0; resource < load.length; resource += 1) {
    if ((load[resource] as number) > (amounts[resource] as number)) return false;
  }
  return true;
};

/** So many more, or fewer, of an item on a bin; its load is left as it is. */
export function changeCount(bin: Bin, item: number, by: number): void {
  const at = bin.items.indexOf(item);
  if (at < 0) {
    bin.items.push(item);
    bin.counts.push(by);
    return;
  }
  const count = (bin.counts[at] as number) + by;
  if (count > 0) {
    bin.counts[at] = count;
  } else {
    bin.items.splice(at, 1);
    bin.counts.splice(at, 1);
  }
}
