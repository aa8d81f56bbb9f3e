import type { Pricing } from './pricing.ts';
import type { Item, Problem } from './problem.ts';

/** Which node to get for one pod and for others after it. */
export interface BulkChoice {
  /** Position among the family's choices. */
  readonly choice: number;
  /** What the pod costs there once the node is full. */
  readonly price: number;
}

/** Chooses nodes by what they cost for what the pods still to come can use of them. */
export interface Bulk {
  best(pricing: Pricing, amounts: Float64Array): BulkChoice | undefined;
  /** So many pods of the item have their place, or will have none. */
  placed(item: Item, count: number): void;
}

export function createBulk({
  problem,
  worth,
}: {
  readonly problem: Problem;
  readonly worth: Float64Array;
}): Bulk {
  const left = new Float64Array(worth.length);
  const add = ({ amounts }: Item, count: number): void => {
    for (let resource = 0; resource < left.length; resource += 1) {
      left[resource] = (left[resource] as number) + count * (amounts[resource] as number);
    }
  };
  for (const item of problem.items) add(item, item.count);
  const usefulOf = (amounts: Float64Array): number => {
    let value = 0;
    for (let resource = 0; resource < amounts.length; resource += 1) {
      value +=
        (worth[resource] as number) *
        Math.min(amounts[resource] as number, Math.max(left[resource] as number, 0));
    }
    return value;
  };
  const takes = (room: Float64Array, amounts: Float64Array): boolean =>
    amounts.every((amount, resource) => amount <= (room[resource] as number));
  return {
    best: ({ choices }, amounts) => {
      const pod = amounts.reduce(
        (sum, amount, resource) => sum + amount * (worth[resource] as number),
        0,
      );
      let best = -1;
      let rate = Number.POSITIVE_INFINITY;
      choices.forEach((choice, at) => {
        const own = choice.price / usefulOf(choice.amounts);
        if (own < rate && choice.used < choice.limit && takes(choice.amounts, amounts)) {
          best = at;
          rate = own;
        }
      });
      return best < 0 ? undefined : { choice: best, price: rate * pod };
    },
    placed: (item, count) => add(item, -count),
  };
}
