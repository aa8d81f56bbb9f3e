import { amountIn, type Resources } from '#cluster/resources.ts';
import type { AutoScalingGroup, GroupInstance } from './aws-views.ts';

/**
 * How much of its group's desired capacity an instance is: its WeightedCapacity, and 1 in a group without
 * weights. Size, minimum and maximum of such a group count these units, not instances.
 */
export const unitsOf = ({ weight }: Pick<GroupInstance, 'weight'>): number => weight ?? 1;

/** The units of several instances together. */
export const unitsOfAll = (instances: readonly Pick<GroupInstance, 'weight'>[]): number =>
  instances.reduce((sum, instance) => sum + unitsOf(instance), 0);

/** Whether the group's desired capacity counts units of weighted capacity, not instances. */
export const countsUnits = ({
  overrides,
  instances,
}: Pick<AutoScalingGroup, 'overrides' | 'instances'>): boolean =>
  overrides.some(({ weight }) => weight !== undefined && weight !== 1) ||
  instances.some((instance) => unitsOf(instance) !== 1);

/** A machine that AWS may launch for so many units. */
export interface WeightedMachine {
  readonly weight: number;
  readonly allocatable: Resources;
}

/**
 * By how many units desired capacity rises for one more node of the size planned, which is the least of any
 * type, whichever type AWS takes: the weight of each type shared among the planned nodes that its CPU and
 * memory hold, rounded up, and of these the most. Where pods are kept apart from each other, or go by the number of pods
 * or disks, one large node in place of several may take fewer of them; a later look sees that, and adds the rest.
 */
export const unitsPerNode = (machines: readonly WeightedMachine[]): number => {
  const least = (name: string): number =>
    machines.reduce((min, { allocatable }) => Math.min(min, amountIn(allocatable, name)), Infinity);
  const [cpu, memory] = [least('cpu'), least('memory')];
  const held = ({ allocatable }: WeightedMachine): number =>
    Math.max(
      1,
      Math.min(
        times(amountIn(allocatable, 'cpu'), cpu),
        times(amountIn(allocatable, 'memory'), memory),
      ),
    );
  return machines.reduce(
    (most, machine) => Math.max(most, Math.ceil(machine.weight / held(machine))),
    1,
  );
};

/** How often the part goes into the whole; nothing goes in without end. */
const times = (whole: number, part: number): number =>
  part > 0 ? Math.floor(whole / part) : Number.POSITIVE_INFINITY;
