import type { Metric, Metrics } from '#ports/metrics.ts';

export interface MemoryMetrics extends Metrics {
  /** In the order emitted. */
  emitted(): readonly Metric[];
}

export const memoryMetrics = (): MemoryMetrics => {
  const emitted: Metric[] = [];
  return {
    emit: (metric) => {
      emitted.push(metric);
    },
    emitted: () => [...emitted],
  };
};
