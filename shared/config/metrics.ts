export type { MetricName } from '#scaling/metric-name.ts';

/** Where the metrics of every deployment are found in CloudWatch. */
export const metricsNamespace = 'Outrider';
