import type { Clock } from '#ports/clock.ts';
import type { Metrics } from '#ports/metrics.ts';

/** Counts one look at one cluster: nodes asked for, whether it failed, how long it took. */
export const emitLookMetrics = (
  ports: { readonly clock: Clock; readonly metrics: Metrics },
  look: { readonly cluster: string; readonly raised: number; readonly failed: boolean },
  startedMs: number,
): void => {
  const dimensions = { cluster: look.cluster };
  const count = (name: string, value: number): void =>
    ports.metrics.emit({ name, value, unit: 'Count', dimensions });
  count('NodesRequested', look.raised);
  count('LooksFailed', look.failed ? 1 : 0);
  ports.metrics.emit({
    name: 'LookDuration',
    value: ports.clock.nowMs() - startedMs,
    unit: 'Milliseconds',
    dimensions,
  });
};
