import type { Clock } from '#ports/clock.ts';
import type { Metrics } from '#ports/metrics.ts';

/** The one metric that the alarm of each cluster watches. */
export const countLookFailed = (metrics: Metrics, cluster: string, failed: boolean): void =>
  metrics.emit({
    name: 'LooksFailed',
    value: failed ? 1 : 0,
    unit: 'Count',
    dimensions: { cluster },
  });

/** Counts one look at one cluster: nodes asked for, whether it failed, how long it took. */
export const emitLookMetrics = (
  ports: { readonly clock: Clock; readonly metrics: Metrics },
  look: { readonly cluster: string; readonly raised: number; readonly failed: boolean },
  startedMs: number,
): void => {
  const dimensions = { cluster: look.cluster };
  ports.metrics.emit({ name: 'NodesRequested', value: look.raised, unit: 'Count', dimensions });
  countLookFailed(ports.metrics, look.cluster, look.failed);
  ports.metrics.emit({
    name: 'LookDuration',
    value: ports.clock.nowMs() - startedMs,
    unit: 'Milliseconds',
    dimensions,
  });
};
