/** Counts and durations for dashboards and alarms; losing one loses nothing else. */
export interface Metrics {
  emit(metric: Metric): void;
}

export interface Metric {
  readonly name: string;
  readonly value: number;
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  readonly dimensions: Readonly<Record<string, string>>;
}
