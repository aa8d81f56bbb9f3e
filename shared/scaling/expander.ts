import { compareText } from '#cluster/order.ts';
import { amountIn } from '#cluster/resources.ts';
import type { ExpansionOption } from './planning/expansion-option.ts';

export interface Choice {
  readonly option: ExpansionOption;
  /** How a tie was broken, for people: `level with b, taken for its name`; empty where there was none. */
  readonly tie: string;
}

/**
 * Cluster Autoscaler's `least-waste`: the option whose nodes leave the smallest sum of unused CPU and
 * unused memory, as parts of their capacity (not allocatable), DaemonSet pods counting as unused.
 * Compared exactly; ties go to more pods helped (a group near its maximum
 * would leave the rest to others), then to fewer nodes, then to the group's name.
 */
export const leastWaste = (options: readonly ExpansionOption[]): Choice | undefined => {
  const [best, second] = [...options].sort(compareOptions);
  if (best === undefined) return undefined;
  const tie =
    second === undefined || compareWaste(best, second) !== 0
      ? ''
      : `level with ${second.group}, taken for ${tieBreaker(best, second)}`;
  return { option: best, tie };
};

/** New nodes of one kind, and what the pods on them ask for in sum. */
export type Filling = Pick<ExpansionOption, 'nodes' | 'requested' | 'capacity'>;

/** What new nodes leave unused, for people: `12 % of CPU, 30 % of memory unused`. */
export const unusedText = (filling: Filling): string => {
  const cpu = percent(unused(filling, 'cpu'));
  const memory = percent(unused(filling, 'memory'));
  return `${cpu} % of CPU, ${memory} % of memory unused`;
};

const compareOptions = (a: ExpansionOption, b: ExpansionOption): number =>
  compareWaste(a, b) || b.pods - a.pods || a.nodes - b.nodes || compareText(a.group, b.group);

const tieBreaker = (best: ExpansionOption, second: ExpansionOption): string => {
  if (best.pods !== second.pods) return 'more pods';
  return best.nodes === second.nodes ? 'its name' : 'fewer nodes';
};

/** A part of one whole, exactly. The whole is never 0. */
interface Fraction {
  readonly part: bigint;
  readonly whole: bigint;
}

const compareWaste = (a: ExpansionOption, b: ExpansionOption): number => {
  const [left, right] = [wasteOf(a), wasteOf(b)];
  const difference = left.part * right.whole - right.part * left.whole;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
};

const wasteOf = (option: ExpansionOption): Fraction => {
  const cpu = unused(option, 'cpu');
  const memory = unused(option, 'memory');
  return {
    part: cpu.part * memory.whole + memory.part * cpu.whole,
    whole: cpu.whole * memory.whole,
  };
};

/** A group whose template has none of the resource wastes none of it. */
const unused = ({ nodes, requested, capacity }: Filling, resource: string): Fraction => {
  const whole = BigInt(amountIn(capacity, resource)) * BigInt(nodes);
  if (whole <= 0n) return { part: 0n, whole: 1n };
  return { part: whole - BigInt(amountIn(requested, resource)), whole };
};

/** To the nearest whole percent, for people. */
const percent = ({ part, whole }: Fraction): bigint => (part * 200n + whole) / (whole * 2n);
