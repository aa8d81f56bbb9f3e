/** Something a node can be: an offer, or a node there is. Amounts by the packing's resources. */
export interface Choice {
  /** Position among the question's offers; -1: a node there is. */
  readonly offer: number;
  readonly amounts: Float64Array;
  readonly price: number;
  readonly limit: number;
  /** Nodes that are this at the moment. */
  used: number;
}

/** Choices that no pod tells apart but by their room, the cheapest first. */
export interface Pricing {
  readonly choices: readonly Choice[];
  readonly limited: boolean;
  /** The cheapest choice that holds so much and of which one is left, or that the node is already; -1: none. */
  cheapest(load: Float64Array, own: number): number;
}

const buckets = 1024;

/** For each amount of a resource, coarsely: before which choice none is large enough. */
const firstLargeEnough = (choices: readonly Choice[], resource: number) => {
  const largest = choices.reduce((most, { amounts }) => Math.max(most, amounts[resource] ?? 0), 0);
  const perUnit = largest > 0 ? (buckets - 1) / largest : 0;
  const first = new Int32Array(buckets);
  // Where the largest so far ends, the next choice begins to be the first that may do.
  let next = 0;
  let reached = -1;
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    while (reached < bucket && next < choices.length) {
      reached = Math.max(reached, Math.floor((choices[next]?.amounts[resource] ?? 0) * perUnit));
      next += 1;
    }
    first[bucket] = Math.max(next - 1, 0);
  }
  return { first, perUnit, largest };
};

/** Whether b, which costs no less, is never better than a. */
const outdoes = (a: Choice, b: Choice): boolean => {
  if (a.limit !== Number.POSITIVE_INFINITY) return false;
  for (let resource = 0; resource < a.amounts.length; resource += 1) {
    if ((a.amounts[resource] as number) < (b.amounts[resource] as number)) return false;
  }
  return true;
};

/** `given` in a stated order, of which ties keep theirs. */
export function createPricing(given: readonly Choice[]): Pricing {
  const choices: Choice[] = [];
  for (const choice of given.toSorted((a, b) => a.price - b.price)) {
    // The dearest so far are the largest, as a rule.
    if (choices.findLast((better) => outdoes(better, choice)) === undefined) choices.push(choice);
  }
  const resources = choices[0]?.amounts.length ?? 0;
  const tables = Array.from({ length: resources }, (_, resource) =>
    firstLargeEnough(choices, resource),
  );
  const limited = choices.some(({ limit }) => limit !== Number.POSITIVE_INFINITY);
  const amounts = choices.map((choice) => choice.amounts);
  const cheapest = (load: Float64Array, own: number): number => {
    let at = 0;
    for (let resource = 0; resource < resources; resource += 1) {
      const { first, perUnit, largest } = tables[resource] as (typeof tables)[number];
      const amount = load[resource] as number;
      if (amount > largest) return -1;
      const start = first[Math.floor(amount * perUnit)] as number;
      if (start > at) at = start;
    }
    next: for (; at < choices.length; at += 1) {
      const room = amounts[at] as Float64Array;
      for (let resource = 0; resource < resources; resource += 1) {
        if ((load[resource] as number) > (room[resource] as number)) continue next;
      }
      if (!limited || at === own) return at;
      const { used, limit } = choices[at] as Choice;
      if (used < limit) return at;
    }
    return -1;
  };
  return { choices, limited, cheapest };
}
