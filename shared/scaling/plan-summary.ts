import type { ScaleUpDecision, ScaleUpInput } from './decision.ts';

/** Dollars per hour of one instance, by type. Money for people: the one place with fractions. */
export type Prices = Readonly<Record<string, number>>;

export interface PlanSummary {
  /** Candidates and ignored ones. */
  readonly pendingPods: number;
  readonly newNodes: number;
  /** Of the groups' instances today; absent where a price is missing. */
  readonly hourlyCostBefore?: number;
  /** With the new nodes, of the dearest type where AWS chooses among several. */
  readonly hourlyCostAfter?: number;
}

/** Counts of a decision and, where every price is known, what it costs. */
export const summarise = (
  decision: ScaleUpDecision,
  input: ScaleUpInput,
  prices: Prices = {},
): PlanSummary => {
  const raised = decision.scaleUps.map((scaleUp) => {
    const group = input.nodeGroups.groups.find(({ name }) => name === scaleUp.group);
    return { scaleUp, group, nodes: scaleUp.to - scaleUp.from };
  });
  const before = costOf(
    input.nodeGroups.groups.flatMap(({ instances }) => instances.map(({ type }) => type)),
    prices,
  );
  const added = raised.map(({ scaleUp, group, nodes }) => {
    const types = scaleUp.instanceType
      ? [scaleUp.instanceType]
      : (group?.overrides ?? []).map(({ instanceType }) => instanceType);
    return timesKnown(dearest(types, prices), nodes);
  });
  const after = sumKnown([before, ...added]);
  return {
    pendingPods:
      decision.ignored.length +
      decision.fits.length +
      decision.stuck.length +
      decision.scaleUps.reduce((sum, { pods }) => sum + pods.length, 0),
    newNodes: raised.reduce((sum, { nodes }) => sum + nodes, 0),
    ...(before === undefined ? {} : { hourlyCostBefore: cents(before) }),
    ...(after === undefined ? {} : { hourlyCostAfter: cents(after) }),
  };
};

type Known = number | undefined;

const priceOf = (type: string | undefined, prices: Prices): Known =>
  type !== undefined && Object.hasOwn(prices, type) ? prices[type] : undefined;

const costOf = (types: readonly (string | undefined)[], prices: Prices): Known =>
  Object.keys(prices).length === 0
    ? undefined
    : sumKnown(types.map((type) => priceOf(type, prices)));

const dearest = (types: readonly (string | undefined)[], prices: Prices): Known => {
  const known = types.map((type) => priceOf(type, prices));
  return known.length === 0 || known.includes(undefined)
    ? undefined
    : Math.max(...known.map((price) => price ?? 0));
};

const timesKnown = (price: Known, count: number): Known =>
  price === undefined ? undefined : price * count;

const sumKnown = (amounts: readonly Known[]): Known =>
  amounts.reduce<Known>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount),
    0,
  );

/** To a hundredth of a cent, so that 0.1 + 0.2 reads 0.3. */
const cents = (dollars: number): number => Math.round(dollars * 10_000) / 10_000;
