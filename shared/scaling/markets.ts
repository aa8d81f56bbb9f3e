import type { AutoScalingGroup, InstancesDistribution } from './aws-views.ts';
import { isSpotNode } from './prices.ts';

/** How instances are paid: On-Demand, or as Spot. */
export type Market = 'onDemand' | 'spot';

type Labels = Readonly<Record<string, string>>;

/**
 * Of a size so many units are On-Demand: the base, and of what is above it the percentage, rounded in favour of
 * On-Demand. Source: "Create a mixed instances group", Amazon EC2 Auto Scaling user guide.
 */
export const onDemandUnits = (
  { onDemandBase, onDemandPercentAbove }: InstancesDistribution,
  size: number,
): number =>
  size <= onDemandBase
    ? size
    : onDemandBase + Math.ceil(((size - onDemandBase) * onDemandPercentAbove) / 100);

/**
 * How the next instance is paid in a group of this size, in units of desired capacity: as the distribution of its
 * mixed-instances policy says; where it has none, Spot if the labels of its nodes say so.
 */
export const nextMarket = (
  { distribution }: Pick<AutoScalingGroup, 'distribution'>,
  {
    labels,
    size,
    units,
  }: { readonly labels: Labels; readonly size: number; readonly units: number },
): Market => {
  if (distribution === undefined) return isSpotNode(labels) ? 'spot' : 'onDemand';
  const isMoreOnDemand =
    onDemandUnits(distribution, size + units) > onDemandUnits(distribution, size);
  return isMoreOnDemand ? 'onDemand' : 'spot';
};

/** How instances of the group may be paid, at any size. */
export const marketsOf = (
  { distribution, max }: Pick<AutoScalingGroup, 'distribution' | 'max'>,
  labels: Labels,
): ReadonlySet<Market> => {
  if (distribution === undefined) return new Set([isSpotNode(labels) ? 'spot' : 'onDemand']);
  const { onDemandBase: base, onDemandPercentAbove: percent } = distribution;
  return new Set<Market>([
    ...(percent > 0 || base > 0 ? (['onDemand'] as const) : []),
    ...(percent < 100 && base < max ? (['spot'] as const) : []),
  ]);
};
