import { metricsNamespace } from '#config/metrics.ts';
import type { Metrics } from '#ports/metrics.ts';

const standardOutput = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Writes CloudWatch's Embedded Metric Format: a log line that CloudWatch turns into a metric, so that a
 * metric costs no API call and no grant.
 * Source: "Specification: Embedded metric format", Amazon CloudWatch user guide.
 */
export const emfMetrics = (
  nowMs: () => number,
  write: (line: string) => void = standardOutput,
): Metrics => ({
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
              Namespace: metricsNamespace,
              Dimensions: [Object.keys(dimensions)],
              Metrics: [{ Name: name, Unit: unit }],
            },
          ],
        },
      }),
    ),
});
