import type { Wakeups } from '#ports/wakeups.ts';

/** Looks that may be due in one second, and seconds over which the looks of very many clusters are spread. */
const fewestPerSecond = 20;
const spreadSeconds = 50;

/**
 * Has every cluster looked at, one message each: spread over time, so that the calls of a thousand clusters do
 * not come at once, and none of them waits for another's.
 */
export const sweep = async (wakeups: Wakeups, clusters: readonly string[]): Promise<void> => {
  const perSecond = Math.max(fewestPerSecond, Math.ceil(clusters.length / spreadSeconds));
  await wakeups.send(
    clusters.map((cluster, index) => ({
      cluster,
      afterSeconds: Math.floor(index / perSecond),
      because: 'sweep',
      step: 1,
    })),
  );
};
