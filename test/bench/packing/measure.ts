import { type Timed, timed, timesOf } from '../timed.ts';
import type { Figures } from '../workload.ts';
import { type Packed, type PackingCase, placedOf, prove } from './pack-pods.ts';

/** The first runs are the compiler's; the median is of what follows it as well. */
const runs = 11;

const peakMemoryMiB = (): number => Number((process.resourceUsage().maxRSS / 1024).toFixed(1));

/** Runs the work, sees that it comes to the same each time, and has the plan proven. */
export async function measure(
  work: () => Packed,
  one: PackingCase,
): Promise<{ readonly packed: Packed; readonly figures: Figures }> {
  const all: Timed<unknown>[] = [];
  const plans = new Set<string>();
  let packed: Packed | undefined;
  for (let run = 0; run < runs; run += 1) {
    const { value, ...times } = await timed(work);
    all.push({ ...times, value: undefined });
    plans.add(JSON.stringify(value.answer));
    packed = value;
  }
  if (packed === undefined || plans.size > 1)
    throw new Error('the same pods were packed in several ways');
  const figures = {
    pods: one.pods.length,
    placed: placedOf(packed),
    nodes: packed.answer.nodes.length,
    ...timesOf(all),
    peakMemoryMiB: peakMemoryMiB(),
    runs,
    trials: packed.answer.trials,
  };
  prove(one, packed);
  return { packed, figures };
}
