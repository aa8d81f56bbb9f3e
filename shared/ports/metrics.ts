import type { MetricName } from '#scaling/metric-name.ts';

/** Counts and durations for dashboards and alarms; losing one loses nothing else. */
export interface Metrics {
  emit(metric: Metric): void;
}

export interface Metric {
  readonly name: MetricName;
  readonly value: number;
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  readonly dimensions: Readonly<Record<string, string>>;
}
