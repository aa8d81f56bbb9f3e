import { amountIn } from '#cluster/resources.ts';
import { maxScore, type ScorePlugin } from './score-plugin.ts';

/** How even CPU and memory are used: 100 less half their difference in percent. */
function balance(shares: readonly [number, number] | undefined): number {
  const deviation = shares === undefined ? 0 : Math.abs((shares[0] - shares[1]) / 2);
  return Math.trunc((1 - deviation) * maxScore);
}

const share = (used: number, whole: number): number => Math.min(used / whole, 1);

/** NodeResourcesBalancedAllocation: by how much the pod makes the use of CPU and memory more even. */
export const nodeResourcesBalancedAllocation: ScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  ask: ({ requests }, { resources }) => {
    const milliCpu = amountIn(requests, 'cpu');
    const bytes = amountIn(requests, 'memory');
    if (milliCpu === 0 && bytes === 0) return undefined;
    const cpu = resources.row('cpu');
    const memory = resources.row('memory');
    return {
      changesWith: 'podsOnNode',
      raw: (node) => {
        const cpus = cpu.allocatable[node] ?? 0;
        const all = memory.allocatable[node] ?? 0;
        const isEven = cpus === 0 || all === 0;
        const usedCpu = cpus - (cpu.free[node] ?? 0);
        const used = all - (memory.free[node] ?? 0);
        const before = balance(isEven ? undefined : [share(usedCpu, cpus), share(used, all)]);
        const after = balance(
          isEven ? undefined : [share(usedCpu + milliCpu, cpus), share(used + bytes, all)],
        );
        return maxScore / 2 + Math.trunc((maxScore / 2 + after - before) / 2);
      },
    };
  },
};
