import { compareText } from '#cluster/order.ts';
import { amountIn } from '#cluster/resources.ts';
import type { ExpansionOption } from './expansion-option.ts';

export interface Choice {
  readonly option: ExpansionOption;
  /** The rule that decided, for people: `least waste: 12 % of CPU, 30 % of memory unused`. */
  readonly rule: string;
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
      : `, level with ${second.group}, taken for ${tieBreaker(best, second)}`;
  const cpu = percent(unused(best, 'cpu'));
  const memory = percent(unused(best, 'memory'));
  return {
    option: best,
    rule: `least waste: ${cpu} % of CPU, ${memory} % of memory unused${tie}`,
  };
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
const unused = (option: ExpansionOption, resource: string): Fraction => {
  const whole = BigInt(amountIn(option.capacity, resource)) * BigInt(option.nodes);
  if (whole <= 0n) return { part: 0n, whole: 1n };
  return { part: whole - BigInt(amountIn(option.requested, resource)), whole };
};

/** To the nearest whole percent, for people. */
const percent = ({ part, whole }: Fraction): bigint => (part * 200n + whole) / (whole * 2n);
