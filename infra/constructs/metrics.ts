import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, metricsNamespace } from '#config/metrics.ts';

/** A metric that looks emit for each cluster; the sum over five minutes. */
export const clusterMetric = (metricName: MetricName, cluster: string): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { cluster },
    period: Duration.minutes(5),
    statistic: Stats.SUM,
  });
