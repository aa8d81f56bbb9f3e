import { standardOutput, type WriteLine } from './logger.ts';

/** A count or a duration of one moment. */
export interface EmfMetric {
  readonly name: string;
  readonly value: number;
  readonly unit: 'Count' | 'Milliseconds';
  readonly dimensions: Readonly<Record<string, string>>;
}

/**
 * Writes CloudWatch's Embedded Metric Format: a log line that CloudWatch turns into a metric, so that a
 * metric costs no API call and no grant.
 * Source: "Specification: Embedded metric format", Amazon CloudWatch user guide.
 *
 * @returns a sink with the shape of the `Metrics` port.
 */
export const createEmfMetrics = (
  namespace: string,
  nowMs: () => number,
  write: WriteLine = standardOutput,
): { emit(metric: EmfMetric): void } => ({
  emit: ({ name, value, unit, dimensions }) =>
    write(
      JSON.stringify({
        // Last, the members that CloudWatch needs: a dimension must not be able to replace them.
        ...dimensions,
        [name]: value,
        _aws: {
          Timestamp: nowMs(),
          CloudWatchMetrics: [
            {
              Namespace: namespace,
              Dimensions: [Object.keys(dimensions)],
              Metrics: [{ Name: name, Unit: unit }],
            },
          ],
        },
      }),
    ),
});
