import { type Bin, type Bins, changeCount } from './bins.ts';
import { createDice } from './dice.ts';
import type { Nature } from './natures.ts';
import type { Item, Problem } from './problem.ts';

export interface ImproveInput {
  readonly problem: Problem;
  readonly bins: Bins;
  /** What a unit of each resource weighs. */
  readonly weights: Float64Array;
  readonly trials: number;
  /** The price below which no plan is. */
  readonly least: number;
}

/** How many pods of two nodes are split anew at once: 2^8 splits. */
const most = 8;

/**
 * Splits the pods of two nodes at a time anew so that the two cost less, or the same with the room that
 * is left in one place rather than in two: it comes to a smaller node in the end. Only pods go over
 * whose constraints cannot tell the two nodes apart, and pods of one nature change places. Gives how many
 * splits were tried.
 */
export function improve({ problem, bins, weights, trials, least }: ImproveInput): number {
  const { items, natures } = problem;
  const dice = createDice();
  const resources = weights.length;
  const candidates = bins.all.filter(({ items: own }) =>
    own.some((item) => natureOf(item).fixed === false),
  );
  let price = bins.all.reduce((sum, bin) => sum + bin.price, 0);
  let tried = 0;
  if (candidates.length < 2) return 0;

  function natureOf(item: number): Nature {
    return natures[(items[item] as Item).nature] as Nature;
  }
  const suits = (item: number, bin: Bin): boolean => {
    const { nature } = items[item] as Item;
    if (bin.family.existing) return natureOf(item).question.suits(bin.node);
    return bin.family.suits[nature] === true;
  };

  /** Whether nobody's constraint tells the two nodes apart, as far as the pod has to do with it. */
  const mayGo = (item: number, from: Bin, to: Bin): boolean => {
    const { plain, perNode } = natureOf(item);
    if (perNode || (!plain && from.realm !== to.realm)) return false;
    return from.family === to.family || suits(item, to);
  };

  // A move takes a pod from the first node to the second (`there`), or one back, or both at once, which
  // are of one nature then. -1: none.
  const there: number[] = [];
  const back: number[] = [];
  let moves = 0;
  const note = (over: number, other: number): void => {
    there[moves] = over;
    back[moves] = other;
    moves += 1;
  };
  const noteSwap = (item: number, b: Bin): void => {
    const { nature } = items[item] as Item;
    if (natureOf(item).fixed) return;
    for (const other of b.items) {
      if (other === item || items[other]?.nature !== nature) continue;
      if (back.indexOf(other) >= 0 && back.indexOf(other) < moves) continue;
      note(item, other);
      return;
    }
  };
  const exchange = (list: number[], at: number, other: number): void => {
    const kept = list[at] as number;
    list[at] = list[other] as number;
    list[other] = kept;
  };
  const collect = (a: Bin, b: Bin): void => {
    moves = 0;
    for (let at = 0; at < a.items.length; at += 1) {
      const item = a.items[at] as number;
      if (!mayGo(item, a, b)) noteSwap(item, b);
      else for (let n = Math.min(a.counts[at] as number, most); n > 0; n -= 1) note(item, -1);
    }
    for (let at = 0; at < b.items.length; at += 1) {
      const item = b.items[at] as number;
      if (!mayGo(item, b, a)) continue;
      for (let n = Math.min(b.counts[at] as number, most); n > 0; n -= 1) note(-1, item);
    }
    // Too many to try all: some of them, drawn anew each time.
    for (let at = 0; at < most && at < moves; at += 1) {
      const other = at + dice.roll(moves - at);
      exchange(there, at, other);
      exchange(back, at, other);
    }
    moves = Math.min(moves, most);
  };

  const loadA = new Float64Array(resources);
  const loadB = new Float64Array(resources);
  /** Room is worth more in one place, and only so far as there is of every resource. */
  const roomOf = (bin: Bin, load: Float64Array, choice: number): number => {
    const amounts = bin.family.pricing.choices[choice]?.amounts;
    if (amounts === undefined) return 0;
    let room = Number.POSITIVE_INFINITY;
    for (let resource = 1; resource < resources; resource += 1) {
      const value = weights[resource] as number;
      if (value === 0) continue;
      const own = ((amounts[resource] as number) - (load[resource] as number)) * value;
      if (own < room) room = own;
    }
    return room === Number.POSITIVE_INFINITY ? 0 : room * room;
  };

  const nothing = new Float64Array(resources);
  const amountsOf = (item: number): Float64Array =>
    item < 0 ? nothing : (items[item] as Item).amounts;
  const shift = (move: number, sign: number): void => {
    const over = amountsOf(there[move] as number);
    const other = amountsOf(back[move] as number);
    for (let resource = 0; resource < resources; resource += 1) {
      const by = sign * ((over[resource] as number) - (other[resource] as number));
      loadA[resource] = (loadA[resource] as number) - by;
      loadB[resource] = (loadB[resource] as number) + by;
    }
  };

  const choose = (bin: Bin, load: Float64Array): number =>
    load[0] === 0 ? -1 : bin.family.pricing.cheapest(load, bin.choice);

  const improvePair = (a: Bin, b: Bin): void => {
    collect(a, b);
    if (moves === 0) return;
    loadA.set(a.load);
    loadB.set(b.load);
    let bestPrice = a.price + b.price;
    let bestRoom = roomOf(a, loadA, a.choice) + roomOf(b, loadB, b.choice);
    let best = 0;
    let mask = 0;
    const end = 1 << moves;
    for (let step = 1; step < end; step += 1) {
      // Gray code: each split differs from the one before in one move.
      const bit = 31 - Math.clz32(step & -step);
      mask ^= 1 << bit;
      shift(bit, mask & (1 << bit) ? 1 : -1);
      const choiceA = choose(a, loadA);
      if (choiceA < 0 && loadA[0] !== 0) continue;
      const choiceB = choose(b, loadB);
      if (choiceB < 0 && loadB[0] !== 0) continue;
      const chosenA = a.family.pricing.choices[choiceA];
      const chosenB = b.family.pricing.choices[choiceB];
      const both = (chosenA ? chosenA.price : 0) + (chosenB ? chosenB.price : 0);
      if (both > bestPrice) continue;
      const room = roomOf(a, loadA, choiceA) + roomOf(b, loadB, choiceB);
      if (both === bestPrice && room < bestRoom) continue;
      if (chosenA && chosenA === chosenB && chosenA.used + 2 > chosenA.limit) {
        const own = (a.choice === choiceA ? 1 : 0) + (b.choice === choiceB ? 1 : 0);
        if (chosenA.used - own + 2 > chosenA.limit) continue;
      }
      bestPrice = both;
      bestRoom = room;
      best = mask;
    }
    tried += end - 1;
    if (best === 0) return;
    price -= a.price + b.price;
    for (let at = 0; at < moves; at += 1) {
      if (!(best & (1 << at))) continue;
      carry(there[at] as number, a, b);
      carry(back[at] as number, b, a);
    }
    bins.reprice(a);
    bins.reprice(b);
    price += a.price + b.price;
  };

  const carry = (item: number, from: Bin, to: Bin): void => {
    if (item < 0) return;
    changeCount(from, item, -1);
    changeCount(to, item, 1);
    const amounts = amountsOf(item);
    for (let resource = 0; resource < resources; resource += 1) {
      const amount = amounts[resource] as number;
      from.load[resource] = (from.load[resource] as number) - amount;
      to.load[resource] = (to.load[resource] as number) + amount;
    }
  };

  while (tried < trials && price > least) {
    const a = candidates[dice.roll(candidates.length)] as Bin;
    const b = candidates[dice.roll(candidates.length)] as Bin;
    if (a === b) {
      tried += 1;
      continue;
    }
    const before = tried;
    improvePair(a, b);
    if (tried === before) tried += 1;
  }
  return tried;
}
