import type { JsonObject } from '#cluster/json.ts';
import { getOwn } from '#cluster/own-record.ts';
import type { Problem } from '#cluster/problem.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import { nodesOf, type ScaleUp, type ScaleUpInput } from './decision.ts';
import { type GroupState, groupStatesOf } from './group-state.ts';
import { nextMarket } from './markets.ts';
import { hourlyCost, isSpotNode, type PricedMachine, readPrices } from './prices.ts';

export interface PlanCost {
  /** Dollars per hour of the nodes that are there. */
  readonly before?: number;
  /** And with the new ones. */
  readonly after?: number;
  readonly problems: readonly Problem[];
}

const machineOf = ({ labels }: NodeView): PricedMachine | undefined => {
  const type =
    getOwn(labels, 'node.kubernetes.io/instance-type') ??
    getOwn(labels, 'beta.kubernetes.io/instance-type');
  if (type === undefined) return undefined;
  const zone = getOwn(labels, 'topology.kubernetes.io/zone');
  return { type, spot: isSpotNode(labels), ...(zone === undefined ? {} : { zone }) };
};

/** The machines that a scale-up adds, by its group's templates; `undefined` where AWS will choose. */
const machinesAdded = (
  scaleUp: ScaleUp,
  states: readonly GroupState[],
): readonly PricedMachine[] | undefined => {
  const { group: name, instanceType: type, zone } = scaleUp;
  const state = states.find(({ group }) => group.name === name);
  const template = state?.templates.templates.find(
    (one) => one.instanceType === type && (zone === undefined || one.zone === zone),
  );
  if (type === undefined || state === undefined || template === undefined) return undefined;
  const { group, coming } = state;
  const { labels } = template.node;
  const units = coming.unitsPerNode;
  return Array.from({ length: nodesOf(scaleUp) }, (_, index) => ({
    type,
    spot: nextMarket(group, { labels, size: coming.expected + index * units, units }) === 'spot',
    ...(zone === undefined ? {} : { zone }),
  }));
};

/**
 * Hourly cost before and after, from the recorded prices; nodes without an instance type label (on
 * premises, say) cost nothing here. Left out, and the types named, where a price is missing.
 */
export const costOfPlan = (
  recorded: { readonly file: string; readonly content: JsonObject } | undefined,
  input: ScaleUpInput,
  scaleUps: readonly ScaleUp[],
): PlanCost => {
  if (recorded === undefined) return { problems: [] };
  const { prices, problems } = readPrices(recorded.content, recorded.file);
  const machines = input.snapshot.nodes.map(machineOf).filter((machine) => machine !== undefined);
  const states = scaleUps.length === 0 ? [] : groupStatesOf(input);
  const added = scaleUps.map((scaleUp) => machinesAdded(scaleUp, states));
  const before = hourlyCost(prices, machines);
  const after = added.includes(undefined)
    ? { unpriced: [] }
    : hourlyCost(prices, [...machines, ...added.flatMap((group) => group ?? [])]);
  const unpriced = 'unpriced' in after ? after.unpriced : [];
  const missing = 'unpriced' in before ? [...before.unpriced, ...unpriced] : unpriced;
  return {
    ...('micro' in before ? { before: before.micro / 1_000_000 } : {}),
    ...('micro' in after ? { after: after.micro / 1_000_000 } : {}),
    problems: [
      ...problems,
      ...[...new Set(missing)].map((type) => ({
        file: recorded.file,
        field: type,
        code: 'priceMissing',
        message: `has no price, so the cost is left out: add dollars per hour for ${type}`,
      })),
    ],
  };
};
