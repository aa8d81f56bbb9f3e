import type { SchedulingState } from '../state/scheduling-state.ts';
import { type Bin, type Bins, choiceFor } from './bins.ts';
import { type Bulk, type BulkChoice, createBulk } from './bulk.ts';
import { createHeap, type Heap } from './heap.ts';
import type { Nature } from './natures.ts';
import type { Item, Problem } from './problem.ts';

/** A pod with constraints, bound in this order. */
export interface Step {
  readonly item: number;
  bin: Bin;
}

export interface Builder {
  /** Places so many of each item where they cost least, and gives what found no place. */
  place(wanted: readonly Wanted[]): readonly Wanted[];
  /** The pods with constraints so far. */
  readonly steps: Step[];
}

export interface Wanted {
  readonly item: number;
  readonly count: number;
}

/** A bin, and what one more pod of the requests at hand would cost there. */
interface Entry {
  readonly bin: Bin;
  readonly price: number;
  readonly slack: number;
  readonly at: number;
}

const before = (a: Entry, b: Entry): boolean =>
  a.price !== b.price ? a.price < b.price : a.slack !== b.slack ? a.slack < b.slack : a.at < b.at;

export interface BuilderInput {
  readonly problem: Problem;
  readonly bins: Bins;
  readonly state: SchedulingState;
  /** What a unit of each resource weighs. */
  readonly weights: Float64Array;
  /**
   * What a unit of each resource costs on nodes that are filled. With it nodes are got to be filled, the
   * best value first; without, each is as its pods need at the time.
   */
  readonly worth?: Float64Array;
}

export function createBuilder(input: BuilderInput): Builder {
  const { problem, bins, state, weights } = input;
  const { items, natures } = problem;
  const steps: Step[] = [];
  const bulk: Bulk | undefined = input.worth && createBulk({ problem, worth: input.worth });
  const load = new Float64Array(weights.length);

  /** What the bin would cost more with `count` more pods; undefined: they do not fit. */
  const entryOf = (bin: Bin, amounts: Float64Array, at: number): Entry | undefined => {
    for (let resource = 0; resource < load.length; resource += 1) {
      load[resource] = (bin.load[resource] as number) + (amounts[resource] as number);
    }
    const { pricing } = bin.family;
    const choice = choiceFor(bin, load);
    const chosen = pricing.choices[choice];
    if (chosen === undefined) return undefined;
    let slack = 0;
    for (let resource = 1; resource < load.length; resource += 1) {
      slack +=
        ((chosen.amounts[resource] as number) - (load[resource] as number)) *
        (weights[resource] as number);
    }
    const price = chosen.price - bin.price;
    // Where it costs, the smallest node grows: large ones have few pods left that could fill them.
    return { bin, price, slack: price > 0 ? chosen.price : slack, at };
  };

  /** How many pods of the item the bin takes without becoming dearer. */
  const freeCount = (bin: Bin, { amounts }: Item, wanted: number): number => {
    const chosen = bin.family.pricing.choices[bin.choice];
    if (chosen === undefined) return 0;
    let most = wanted;
    for (let resource = 0; resource < amounts.length; resource += 1) {
      const each = amounts[resource] as number;
      if (each === 0) continue;
      const room = (chosen.amounts[resource] as number) - (bin.load[resource] as number);
      most = Math.min(most, Math.floor(room / each));
    }
    return Math.max(most, 0);
  };

  /** Heaps by realm for pods of the same requests, and the price of a new node for one. */
  const shelfOf = (amounts: Float64Array) => {
    const heaps = bins.realms.map((): Heap<Entry> | undefined => undefined);
    const fresh: (BulkChoice | undefined)[] = [];
    const priceNew = (realm: number): BulkChoice | undefined => {
      const { family } = bins.realms[realm] as Bins['realms'][number];
      if (family.existing) return undefined;
      if (bulk) return bulk.best(family.pricing, amounts);
      const choice = family.pricing.cheapest(amounts, -1);
      const chosen = family.pricing.choices[choice];
      return chosen && { choice, price: chosen.price };
    };
    const push = (heap: Heap<Entry>, bin: Bin, at: number) => {
      const entry = entryOf(bin, amounts, at);
      if (entry) heap.push(entry);
    };
    return {
      heap: (realm: number): Heap<Entry> => {
        let heap = heaps[realm];
        if (heap === undefined) {
          heap = createHeap(before);
          for (const bin of bins.realms[realm]?.bins ?? []) push(heap, bin, bin.node);
          heaps[realm] = heap;
        }
        return heap;
      },
      /** Of limited offers others may have taken some since: what it costs now, or nothing where none is left. */
      renewed: (entry: Entry): Entry | undefined =>
        entry.bin.family.pricing.limited ? entryOf(entry.bin, amounts, entry.at) : entry,
      again: (bin: Bin) => {
        const heap = heaps[bin.realm];
        if (heap) push(heap, bin, bin.node);
      },
      /** What a new node of the realm would cost the pod; undefined: none can be had. */
      fresh: (realm: number): BulkChoice | undefined => {
        if (!(realm in fresh)) fresh[realm] = priceNew(realm);
        return fresh[realm];
      },
      /** A node was got, so that less of the offers is left, and fewer pods are. */
      opened: () => {
        fresh.length = 0;
      },
    };
  };
  type Shelf = ReturnType<typeof shelfOf>;

  const takes = (nature: Nature, bin: Bin): boolean =>
    nature.plain
      ? !bin.family.existing || nature.question.suits(bin.node)
      : nature.question.passes(bin.node);

  /** Places all of one item that find a place, and gives how many do not. */
  const placeItem = (position: number, count: number, shelf: Shelf): number => {
    const item = items[position] as Item;
    const nature = natures[item.nature] as Nature;
    if (nature.question.rejected) return count;
    const open = bins.realms.flatMap(({ family }, realm) =>
      family.existing || family.suits[item.nature] ? [realm] : [],
    );
    /** Bins that refused, and how many were placed when they were asked last. */
    let refused: Entry[] = [];
    let placed = 0;
    let patience = 1;
    let askedAgainAt = 0;
    let left = count;
    const put = (bin: Bin) => {
      bins.put(bin, position, 1);
      left -= 1;
      placed += 1;
      if (nature.plain) {
        const more = freeCount(bin, item, left);
        if (more > 0) bins.put(bin, position, more);
        left -= more;
      } else {
        state.place(nature.pod, bin.node);
        steps.push({ item: position, bin });
      }
      shelf.again(bin);
    };
    const putBackRefused = () => {
      for (const entry of refused) shelf.heap(entry.bin.realm).push(entry);
      refused = [];
      askedAgainAt = placed;
    };
    /** Realms that refuse the pod at hand, and those of which a new node does. */
    const closed = new Set<number>();
    const full = new Set<number>();
    const placeOne = (): boolean => {
      closed.clear();
      full.clear();
      for (;;) {
        let best: Entry | undefined;
        let fresh: { realm: number; price: number; bins: number; choice: number } | undefined;
        for (const realm of open) {
          if (!closed.has(realm)) {
            const entry = shelf.heap(realm).peek();
            if (entry && (best === undefined || before(entry, best))) best = entry;
          }
          const node = full.has(realm) || closed.has(realm) ? undefined : shelf.fresh(realm);
          if (node === undefined) continue;
          const { price, choice } = node;
          const size = bins.realms[realm]?.bins.length ?? 0;
          if (
            fresh === undefined ||
            price < fresh.price ||
            (price === fresh.price && size < fresh.bins)
          ) {
            fresh = { realm, price, bins: size, choice };
          }
        }
        if (best && (fresh === undefined || best.price <= fresh.price)) {
          const renewed = shelf.renewed(best);
          if (renewed === undefined || before(best, renewed) || before(renewed, best)) {
            const heap = shelf.heap(best.bin.realm);
            heap.pop();
            if (renewed) heap.push(renewed);
            else refused.push(best);
            continue;
          }
          if (takes(nature, best.bin)) {
            shelf.heap(best.bin.realm).pop();
            put(best.bin);
            return true;
          }
          if (nature.perNode || bins.realms[best.bin.realm]?.family.existing) {
            shelf.heap(best.bin.realm).pop();
            refused.push(best);
          } else {
            closed.add(best.bin.realm);
          }
          continue;
        }
        if (refused.length > 0 && placed - askedAgainAt >= patience) {
          patience = refused.length;
          putBackRefused();
          continue;
        }
        if (fresh === undefined) {
          if (refused.length === 0 || placed === askedAgainAt) return false;
          putBackRefused();
          continue;
        }
        const bin = bins.open(fresh.realm);
        if (takes(nature, bin)) {
          if (bulk && !nature.apart) bin.floor = fresh.choice;
          put(bin);
          if (bulk || bin.family.pricing.limited) shelf.opened();
          return true;
        }
        bins.dropNewest();
        full.add(fresh.realm);
      }
    };
    while (left > 0 && placeOne());
    putBackRefused();
    bulk?.placed(item, count);
    return left;
  };

  const size = (item: Item): number =>
    item.amounts.reduce((sum, amount, resource) => sum + amount * (weights[resource] as number), 0);

  const place = (wanted: readonly Wanted[]): readonly Wanted[] => {
    const order = wanted
      .map((want) => {
        const item = items[want.item] as Item;
        return {
          want,
          item,
          phase: natures[item.nature]?.apart ? 0 : 1,
          size: size(item),
          amounts: item.amounts.join(),
        };
      })
      .sort(
        (a, b) =>
          a.phase - b.phase ||
          b.size - a.size ||
          (a.amounts < b.amounts ? -1 : a.amounts > b.amounts ? 1 : 0) ||
          a.want.item - b.want.item,
      );
    const missing: Wanted[] = [];
    let shelf: Shelf | undefined;
    let key = '';
    for (const { want, item, phase, amounts } of order) {
      const next = `${phase}/${amounts}`;
      if (shelf === undefined || next !== key) shelf = shelfOf(item.amounts);
      key = next;
      const left = placeItem(want.item, want.count, shelf);
      if (left > 0) missing.push({ item: want.item, count: left });
    }
    return missing;
  };
  return { place, steps };
}
