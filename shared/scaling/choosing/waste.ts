import { amountIn } from '#cluster/resources.ts';
import type { ExpansionOption } from '../planning/expansion-option.ts';
import { addFractions, type Fraction } from './fraction.ts';

/** New nodes of one kind, and what the pods on them ask for in sum. */
export type Filling = Pick<ExpansionOption, 'nodes' | 'requested' | 'capacity'>;

/**
 * The unused CPU and the unused memory of new nodes in sum, as parts of their capacity (not allocatable);
 * DaemonSet pods count as unused. As Cluster Autoscaler's `least-waste` has it, but exactly.
 */
export const wasteOf = (filling: Filling): Fraction =>
  addFractions(unused(filling, 'cpu'), unused(filling, 'memory'));

/** What new nodes leave unused, for people: `12 % of CPU, 30 % of memory unused`. */
export const unusedText = (filling: Filling): string => {
  const cpu = percent(unused(filling, 'cpu'));
  const memory = percent(unused(filling, 'memory'));
  return `${cpu} % of CPU, ${memory} % of memory unused`;
};

/** A group whose template has none of the resource wastes none of it. */
const unused = ({ nodes, requested, capacity }: Filling, resource: string): Fraction => {
  const whole = BigInt(amountIn(capacity, resource)) * BigInt(nodes);
  if (whole <= 0n) return { part: 0n, whole: 1n };
  return { part: whole - BigInt(amountIn(requested, resource)), whole };
};

/** To the nearest whole percent, for people. */
const percent = ({ part, whole }: Fraction): bigint => (part * 200n + whole) / (whole * 2n);
