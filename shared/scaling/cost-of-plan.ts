import type { Problem } from '#cluster/problem.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import type { Recording } from '#ports/recordings.ts';
import type { ScaleUp, ScaleUpInput } from '#scaling/decision.ts';
import { hourlyCost, type PricedMachine, readPrices } from '#scaling/prices.ts';

export interface PlanCost {
  /** Dollars per hour of the nodes that are there. */
  readonly before?: number;
  /** And with the new ones. */
  readonly after?: number;
  readonly problems: readonly Problem[];
}

type Labels = Readonly<Record<string, string>>;

const spotLabels: readonly (readonly [string, string])[] = [
  ['node.kubernetes.io/lifecycle', 'spot'],
  ['lifecycle', 'spot'],
  ['karpenter.sh/capacity-type', 'spot'],
  ['eks.amazonaws.com/capacityType', 'spot'],
];

const isSpot = (labels: Labels): boolean =>
  spotLabels.some(([key, value]) => labels[key]?.toLowerCase() === value);

const machineOf = ({ labels }: NodeView): PricedMachine | undefined => {
  const type =
    labels['node.kubernetes.io/instance-type'] ?? labels['beta.kubernetes.io/instance-type'];
  if (type === undefined) return undefined;
  const zone = labels['topology.kubernetes.io/zone'];
  return { type, spot: isSpot(labels), ...(zone === undefined ? {} : { zone }) };
};

const labelTag = 'k8s.io/cluster-autoscaler/node-template/label/';

/** The machines that a scale-up adds; `undefined` where AWS will choose their type. */
const machinesAdded = (
  scaleUp: ScaleUp,
  input: ScaleUpInput,
): readonly PricedMachine[] | undefined => {
  const { instanceType: type, zone } = scaleUp;
  if (type === undefined) return undefined;
  const tags = input.nodeGroups.groups.find(({ name }) => name === scaleUp.group)?.tags ?? {};
  const labels = Object.fromEntries(
    Object.entries(tags)
      .filter(([key]) => key.startsWith(labelTag))
      .map(([key, value]) => [key.slice(labelTag.length), value]),
  );
  const machine = { type, spot: isSpot(labels), ...(zone === undefined ? {} : { zone }) };
  return Array.from({ length: scaleUp.to - scaleUp.from }, () => machine);
};

/**
 * Hourly cost before and after, from the recorded prices; nodes without an instance type label (on
 * premises, say) cost nothing here. Left out, and the types named, where a price is missing.
 */
export const costOfPlan = (
  recorded: Recording['prices'],
  input: ScaleUpInput,
  scaleUps: readonly ScaleUp[],
): PlanCost => {
  if (recorded === undefined) return { problems: [] };
  const { prices, problems } = readPrices(recorded.content, recorded.file);
  const machines = input.snapshot.nodes.map(machineOf).filter((machine) => machine !== undefined);
  const added = scaleUps.map((scaleUp) => machinesAdded(scaleUp, input));
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
