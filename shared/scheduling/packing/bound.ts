import { hostnameLabel } from '../state/node-list.ts';
import type { Bins } from './bins.ts';
import type { Problem } from './problem.ts';
import { countingsOf, mayCount } from './queries.ts';

export interface Bound {
  /** No plan for all of the pods is cheaper. */
  readonly price: number;
  /** What a unit of each of the problem's resources costs at that price. */
  readonly worth: Float64Array;
}

/**
 * What all pods would cost if they and the nodes could be cut up at will: the worth of the amounts asked
 * for, at the highest worths at which no offer is worth more than its price. Pods that keep to a node each
 * ask for a number of nodes as well. Room on existing nodes is free. Limits play no part.
 */
export function boundOf(problem: Problem, bins: Bins): Bound {
  const { resources, items, families } = problem;
  const asked = Float64Array.from(resources, (_, resource) => {
    const all = items.reduce(
      (sum, { amounts, count }) => sum + count * (amounts[resource] ?? 0),
      0,
    );
    return Math.max(all - roomOnExisting(bins, resource), 0);
  });
  const seats = Math.max(nodesAskedFor(problem) - seatsOnExisting(bins), 0);
  const offers = families
    .flatMap(({ pricing }) => pricing.choices)
    .map(({ amounts, price }) => ({ amounts: [...amounts, 1], price }));
  const demand = [...asked, seats];
  const worth = highestWorths(
    offers.map(({ amounts, price }) => ({
      // In parts of what is asked for, so that bytes and cores are numbers of one size.
      row: demand.map((amount, at) => (amount > 0 ? (amounts[at] ?? 0) / amount : 0)),
      price,
    })),
    demand.map((amount) => (amount > 0 ? 1 : 0)),
  );
  const price = worth.reduce((sum, value) => sum + value, 0);
  return {
    // Less what rounding may have added.
    price: Math.max(Math.ceil(price * (1 - 1e-9) - 1e-6), 0),
    worth: Float64Array.from(resources, (_, at) =>
      (demand[at] ?? 0) > 0 ? (worth[at] ?? 0) / (demand[at] ?? 1) : 0,
    ),
  };
}

const roomOnExisting = (bins: Bins, resource: number): number =>
  bins.all.reduce((sum, { family, load }) => {
    const { amounts } = family.pricing.choices[0] ?? {};
    return family.existing
      ? sum + Math.max((amounts?.[resource] ?? 0) - (load[resource] ?? 0), 0)
      : sum;
  }, 0);

/** A node without a hostname label is no domain: pods do not keep each other off it. */
const seatsOnExisting = (bins: Bins): number =>
  bins.all
    .filter(({ family }) => family.existing)
    .reduce(
      (sum, { family: { template } }) =>
        sum + (template.labels[hostnameLabel] === undefined ? Number.POSITIVE_INFINITY : 1),
      0,
    );

/** The most pods of one nature that keep each other off their nodes. */
const nodesAskedFor = ({ natures, items }: Problem): number =>
  natures.reduce((most, { pod }, nature) => {
    const alone = countingsOf(pod).some(
      (counting) =>
        counting.by === 'antiAffinity' &&
        counting.topologyKey === hostnameLabel &&
        counting.query.namespaceSelector === undefined &&
        mayCount(counting, pod),
    );
    if (!alone) return most;
    const count = items.reduce((sum, item) => sum + (item.nature === nature ? item.count : 0), 0);
    return Math.max(most, count);
  }, 0);

interface Limit {
  readonly row: readonly number[];
  readonly price: number;
}

const tolerance = 1e-12;

/** Worths, none negative, of the highest `gain` at which every row's sum is at most its price (simplex method). */
function highestWorths(limits: readonly Limit[], gain: readonly number[]): readonly number[] {
  const width = gain.length;
  const table = limits.map(({ row, price }) => Float64Array.from([...row, price]));
  const goal = Float64Array.from([...gain.map((value) => -value), 0]);
  /** What a column stands for: a worth, or a row's slack from `width` on; and the same of the rows. */
  const columns = gain.map((_, at) => at);
  const rows = limits.map((_, at) => width + at);
  for (let round = 0; round < 50 * (width + 1); round += 1) {
    const column = columns.reduce(
      (best, name, at) =>
        (goal[at] as number) < -tolerance && (best < 0 || name < (columns[best] as number))
          ? at
          : best,
      -1,
    );
    if (column < 0) break;
    let pivot = -1;
    let least = Number.POSITIVE_INFINITY;
    table.forEach((row, at) => {
      const part = row[column] as number;
      if (part <= tolerance) return;
      const ratio = (row[width] as number) / part;
      if (ratio < least || (ratio === least && (rows[at] as number) < (rows[pivot] as number))) {
        least = ratio;
        pivot = at;
      }
    });
    // Nobody offers any of it: it is worth nothing, since nothing can be bought.
    if (pivot < 0) {
      goal[column] = 0;
      continue;
    }
    exchange(table, goal, { pivot, column });
    const name = columns[column] as number;
    columns[column] = rows[pivot] as number;
    rows[pivot] = name;
  }
  const worths = gain.map(() => 0);
  rows.forEach((name, at) => {
    if (name < width) worths[name] = Math.max(table[at]?.[width] ?? 0, 0);
  });
  return madeFeasible(worths, limits);
}

function exchange(
  table: readonly Float64Array[],
  goal: Float64Array,
  { pivot, column }: { readonly pivot: number; readonly column: number },
): void {
  const row = table[pivot] as Float64Array;
  const by = 1 / (row[column] as number);
  row[column] = 1;
  for (let at = 0; at < row.length; at += 1) row[at] = (row[at] as number) * by;
  for (const other of [...table, goal]) {
    if (other === row) continue;
    const factor = other[column] as number;
    if (factor === 0) continue;
    other[column] = 0;
    for (let at = 0; at < row.length; at += 1) {
      other[at] = (other[at] as number) - factor * (row[at] as number);
    }
  }
}

/** Rounding may have let a row go over its price by a hair, which would make the bound too high. */
function madeFeasible(worths: readonly number[], limits: readonly Limit[]): readonly number[] {
  const scale = limits.reduce((least, { row, price }) => {
    const sum = row.reduce((total, part, at) => total + part * (worths[at] as number), 0);
    return sum > price ? Math.min(least, price / sum) : least;
  }, 1);
  return worths.map((value) => value * scale);
}
