import { scoredRequests } from '../state/scored-requests.ts';
import { maxScore, type ScorePlugin } from './score-plugin.ts';

/** What is left of a whole, in hundredths rounded down; nothing where more is asked than there is. */
const shareLeft = (whole: number, asked: number): number =>
  asked > whole ? 0 : Math.floor(((whole - asked) * maxScore) / whole);

/** NodeResourcesFit, LeastAllocated: the mean share of CPU and memory that stays free with the pod there. */
export const nodeResourcesFit: ScorePlugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  ask: (pod, { resources, preferences }) => {
    const scored = scoredRequests(pod);
    const cpu = resources.row('cpu');
    const memory = resources.row('memory');
    const { extra } = preferences;
    return {
      changesWith: 'podsOnNode',
      raw: (node) => {
        const cpus = cpu.allocatable[node] ?? 0;
        const bytes = memory.allocatable[node] ?? 0;
        let sum = 0;
        let kinds = 0;
        if (cpus !== 0) {
          const there = cpus - (cpu.free[node] ?? 0) + extra.milliCpuOn(node);
          sum += shareLeft(cpus, there + scored.milliCpu);
          kinds += 1;
        }
        if (bytes !== 0) {
          const there = bytes - (memory.free[node] ?? 0) + extra.memoryBytesOn(node);
          sum += shareLeft(bytes, there + scored.memoryBytes);
          kinds += 1;
        }
        return kinds === 0 ? 0 : Math.floor(sum / kinds);
      },
    };
  },
};
