import { type Bin, type Bins, changeCount } from './bins.ts';
import { createDice } from './dice.ts';
import type { Nature } from './natures.ts';
import type { Problem } from './problem.ts';

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

/** One pod that may be on either of two nodes, or two that may change places. */
interface Move {
  /** What goes over from the first node to the second: a pod, or -1. */
  readonly there: number;
  /** What comes from the second to the first. */
  readonly back: number;
}

/**
 * Splits the pods of two nodes at a time anew so that the two cost less, or the same with the room that
 * is left in one place rather than in two: it comes to a smaller node in the end. Only pods go over
 * whose constraints cannot tell the two nodes apart, and pods of one nature change places. Gives how many
 * splits were tried.
 */
export function improve({ problem, bins, weights, trials, least }: ImproveInput): number {
  const { items, natures, topologyKeys } = problem;
  const dice = createDice();
  const resources = weights.length;
  const candidates = bins.all.filter(({ items: own }) =>
    own.some((item) => natureOf(item).fixed === false),
  );
  let price = bins.all.reduce((sum, bin) => sum + bin.price, 0);
  let tried = 0;
  if (candidates.length < 2) return 0;

  function natureOf(item: number): Nature {
    return natures[(items[item] as (typeof items)[number]).nature] as Nature;
  }
  const keyIndexes = natures.map(({ keys }) => keys.map((key) => topologyKeys.indexOf(key)));

  const suits = (item: number, bin: Bin): boolean => {
    const { nature } = items[item] as (typeof items)[number];
    if (bin.family.existing) return (natures[nature] as Nature).question.suits(bin.node);
    return bin.family.suits[nature] === true;
  };

  /** Whether no constraint that has to do with the pod tells the two nodes apart. */
  const mayGo = (item: number, from: Bin, to: Bin): boolean => {
    const { nature } = items[item] as (typeof items)[number];
    if (natures[nature]?.fixed) return false;
    for (const key of keyIndexes[nature] as number[]) {
      if (from.domains[key] !== to.domains[key]) return false;
    }
    return from.family === to.family || suits(item, to);
  };

  const moves: Move[] = [];
  /** Items of the second node that change places already. */
  const taken: number[] = [];
  const collect = (a: Bin, b: Bin): void => {
    moves.length = 0;
    taken.length = 0;
    for (let at = 0; at < a.items.length; at += 1) {
      const item = a.items[at] as number;
      if (mayGo(item, a, b)) {
        for (let n = Math.min(a.counts[at] as number, most); n > 0; n -= 1) {
          moves.push({ there: item, back: -1 });
        }
      } else {
        swapOf(item, b);
      }
    }
    for (let at = 0; at < b.items.length; at += 1) {
      const item = b.items[at] as number;
      if (!mayGo(item, b, a)) continue;
      for (let n = Math.min(b.counts[at] as number, most); n > 0; n -= 1) {
        moves.push({ there: -1, back: item });
      }
    }
    // Too many to try all: some of them, drawn anew each time.
    for (let at = 0; at < most && at < moves.length; at += 1) {
      const other = at + dice.roll(moves.length - at);
      const move = moves[at] as Move;
      moves[at] = moves[other] as Move;
      moves[other] = move;
    }
    if (moves.length > most) moves.length = most;
  };

  const swapOf = (item: number, b: Bin): void => {
    const { nature } = items[item] as (typeof items)[number];
    if (natures[nature]?.fixed) return;
    for (const other of b.items) {
      if (other !== item && items[other]?.nature === nature && !taken.includes(other)) {
        taken.push(other);
        moves.push({ there: item, back: other });
        return;
      }
    }
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

  const shift = (move: Move, sign: number): void => {
    const there = move.there < 0 ? undefined : items[move.there]?.amounts;
    const back = move.back < 0 ? undefined : items[move.back]?.amounts;
    for (let resource = 0; resource < resources; resource += 1) {
      const by =
        sign *
        ((there ? (there[resource] as number) : 0) - (back ? (back[resource] as number) : 0));
      loadA[resource] = (loadA[resource] as number) - by;
      loadB[resource] = (loadB[resource] as number) + by;
    }
  };

  const choose = (bin: Bin, load: Float64Array): number =>
    load[0] === 0 ? -1 : bin.family.pricing.cheapest(load, bin.choice);

  const improvePair = (a: Bin, b: Bin): void => {
    collect(a, b);
    const { length } = moves;
    if (length === 0) return;
    loadA.set(a.load);
    loadB.set(b.load);
    let bestPrice = a.price + b.price;
    let bestRoom = roomOf(a, loadA, a.choice) + roomOf(b, loadB, b.choice);
    let best = 0;
    let mask = 0;
    const end = 1 << length;
    for (let step = 1; step < end; step += 1) {
      // Gray code: each split differs from the one before in one move.
      const bit = 31 - Math.clz32(step & -step);
      mask ^= 1 << bit;
      shift(moves[bit] as Move, mask & (1 << bit) ? 1 : -1);
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
    for (let at = 0; at < length; at += 1) {
      if (best & (1 << at)) carryOut(moves[at] as Move, a, b);
    }
    bins.reprice(a);
    bins.reprice(b);
    price += a.price + b.price;
  };

  const carryOut = ({ there, back }: Move, a: Bin, b: Bin): void => {
    if (there >= 0) carry(there, a, b);
    if (back >= 0) carry(back, b, a);
  };
  const carry = (item: number, from: Bin, to: Bin): void => {
    changeCount(from, item, -1);
    changeCount(to, item, 1);
    const { amounts } = items[item] as (typeof items)[number];
    for (let resource = 0; resource < resources; resource += 1) {
      const amount = amounts[resource] as number;
      from.load[resource] = (from.load[resource] as number) - amount;
      to.load[resource] = (to.load[resource] as number) + amount;
    }
  };

  const hasRoom = (bin: Bin) => roomOf(bin, bin.load, bin.choice);
  while (tried < trials && price > least) {
    const a = candidates[dice.roll(candidates.length)] as Bin;
    const b = candidates[dice.roll(candidates.length)] as Bin;
    if (a === b || hasRoom(a) === 0 || hasRoom(b) === 0) {
      tried += 1;
      continue;
    }
    const before = tried;
    improvePair(a, b);
    if (tried === before) tried += 1;
  }
  return tried;
}
