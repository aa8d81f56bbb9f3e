import { compareText } from '#cluster/order.ts';
import { amountIn } from '#cluster/resources.ts';
import type { ExpansionOption } from '../planning/expansion-option.ts';
import type { ExpanderName } from '../policy.ts';
import { compareFractions, type Fraction } from './fraction.ts';
import { wasteOf } from './waste.ts';

/** What expanders may know of the groups beside the options. */
export interface ExpanderContext {
  /** Each narrows what the one before it left; at least one. */
  readonly expanders: readonly ExpanderName[];
  /** What one new node of the group costs, in millionths of a dollar per hour; absent: nobody knows. */
  priceOf(group: string): number | undefined;
  /** The group's priority, the highest first; absent: none is given. */
  priorityOf(group: string): number | undefined;
}

export interface Choice {
  readonly option: ExpansionOption;
  /** The expanders that had something to choose from; the first one in any case. */
  readonly expanders: readonly ExpanderName[];
  /** How a tie was broken, for people: `level with b, taken for its name`; empty where there was none. */
  readonly tie: string;
}

/**
 * The option that the expanders leave, each narrowing those that are level for the one before it. What is level
 * for all of them goes to more pods helped (a group near its maximum would leave the rest to others), then to fewer
 * nodes, then to the group's name: Cluster Autoscaler throws dice there, and no decision could be made again.
 */
export const chooseOption = (
  options: readonly ExpansionOption[],
  context: ExpanderContext,
): Choice | undefined => {
  let left = options;
  const asked: ExpanderName[] = [];
  for (const name of context.expanders) {
    if (asked.length > 0 && left.length <= 1) break;
    left = level(left, rules[name](context));
    asked.push(name);
  }
  const [best, second] = [...left].sort(breakTie);
  if (best === undefined) return undefined;
  const tie =
    second === undefined ? '' : `level with ${second.group}, taken for ${tieBreaker(best, second)}`;
  return { option: best, expanders: asked, tie };
};

type Compare = (a: ExpansionOption, b: ExpansionOption) => number;

/** Negative: the first is the better one. */
const rules: { readonly [Name in ExpanderName]: (context: ExpanderContext) => Compare } = {
  'least-waste': () => (a, b) => compareFractions(wasteOf(a), wasteOf(b)),
  'least-nodes': () => (a, b) => a.nodes - b.nodes,
  'most-pods': () => (a, b) => b.pods - a.pods,
  price: (context) => (a, b) => comparePrices(priceFor(a, context), priceFor(b, context)),
  priority: (context) => (a, b) =>
    (context.priorityOf(b.group) ?? unranked) - (context.priorityOf(a.group) ?? unranked),
};

/** Below any priority: groups without one are taken only where all are. */
const unranked = Number.MIN_SAFE_INTEGER;

/** Those that nothing beats, in their order. */
const level = (options: readonly ExpansionOption[], compare: Compare) => {
  const [first] = options;
  if (first === undefined) return options;
  const best = options.reduce((a, b) => (compare(b, a) < 0 ? b : a), first);
  return options.filter((option) => compare(option, best) === 0);
};

/**
 * What the nodes cost for what the pods on them are worth: a group that helps a few cheaply does not beat one that
 * helps all. `undefined`, and last, where a price is not known.
 */
const priceFor = (
  option: ExpansionOption,
  { priceOf }: Pick<ExpanderContext, 'priceOf'>,
): Fraction | undefined => {
  const price = priceOf(option.group);
  return price === undefined
    ? undefined
    : { part: BigInt(price) * BigInt(option.nodes), whole: worthOf(option) };
};

const comparePrices = (a: Fraction | undefined, b: Fraction | undefined): number => {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareFractions(a, b);
};

const GiB = 1024n ** 3n;

/** In bytes of memory, a core being worth 8 GiB as on demand prices of EC2 have it; a pod that asks nothing counts too. */
const worthOf = ({ pods, requested }: ExpansionOption): bigint =>
  (BigInt(amountIn(requested, 'cpu')) * 8n * GiB) / 1000n +
  BigInt(amountIn(requested, 'memory')) +
  BigInt(pods) * 1024n ** 2n;

const breakTie: Compare = (a, b) =>
  b.pods - a.pods || a.nodes - b.nodes || compareText(a.group, b.group);

const tieBreaker = (best: ExpansionOption, second: ExpansionOption): string => {
  if (best.pods !== second.pods) return 'more pods';
  return best.nodes === second.nodes ? 'its name' : 'fewer nodes';
};
