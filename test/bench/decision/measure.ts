import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import { nodesOf, type ScaleUpDecision, type ScaleUpInput } from '#scaling/decision.ts';
import { type Timed, timed, timesOf } from '../timed.ts';
import type { Figures } from '../workload.ts';
import { proveDecision } from './prove.ts';

/** The first runs are the compiler's; the median is of what follows it as well. */
const defaultRuns = 11;

/** What came of the pods: each counts once. */
export const outcomeOf = ({ scaleUps, fits, stuck }: ScaleUpDecision) => ({
  placed: fits.length + scaleUps.reduce((sum, { pods }) => sum + pods.length, 0),
  fits: fits.length,
  stuck: stuck.length,
  nodes: scaleUps.reduce((sum, raise) => sum + nodesOf(raise), 0),
});

export interface Decided {
  readonly decision: ScaleUpDecision;
  readonly figures: Figures & ReturnType<typeof outcomeOf>;
}

/** Decides several times over, sees that it comes to the same each time, and has the plan proven. */
export async function measureDecision(input: ScaleUpInput, runs = defaultRuns): Promise<Decided> {
  const times: Timed<unknown>[] = [];
  const decisions = new Set<string>();
  let decision: ScaleUpDecision | undefined;
  for (let run = 0; run < runs; run += 1) {
    const { value, ...taken } = await timed(() => decideScaleUp(input));
    times.push({ ...taken, value: undefined });
    decisions.add(JSON.stringify(value));
    decision = value;
  }
  if (decision === undefined || decisions.size > 1) {
    throw new Error('the same cluster was decided in several ways');
  }
  const peakMemoryMiB = Number((process.resourceUsage().maxRSS / 1024).toFixed(1));
  proveDecision(input, decision);
  return { decision, figures: { ...outcomeOf(decision), ...timesOf(times), peakMemoryMiB, runs } };
}

export const renderDecision = (figures: Figures): readonly string[] => [
  `${figures['placed']} of ${figures['pending'] ?? figures['pods']} pods placed, ${figures['fits']} of them on nodes there are; ${figures['nodes']} new nodes, proven to be bindable`,
  `CPU ${figures.cpuSeconds} s, of the first run ${figures.coldCpuSeconds} s; peak memory ${figures.peakMemoryMiB} MiB`,
];
