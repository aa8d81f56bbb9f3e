import { Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type MetricName, metricsNamespace } from '#config/metrics.ts';
import type { FedQueue } from './fed-queue.ts';

export interface Shown extends FedQueue {
  /** How people call it: `Network main`. */
  readonly name: string;
  readonly function: LambdaFunction;
}

const period = Duration.minutes(1);

/** Every series of a metric by its dimensions, those of clusters that come later too. */
const search = (name: MetricName, dimensions: string, statistic: string): IMetric =>
  new MathExpression({
    expression: `SEARCH('{${metricsNamespace},${dimensions}} MetricName="${name}"', '${statistic}', ${period.toSeconds()})`,
    // Without a label of its own each series is called by its dimensions.
    label: '',
    period,
  });

const graph = (title: string, left: readonly IMetric[]): GraphWidget =>
  new GraphWidget({ title, left: [...left], width: 12, height: 6, period });

/** What people look at first: what waits, what was done about it, how long that took, and what is broken. */
export const addDashboard = (scope: Construct, shown: readonly Shown[]): Dashboard => {
  const queues = (metric: (one: Shown) => IMetric): readonly IMetric[] => shown.map(metric);
  const last = { period, statistic: Stats.MAXIMUM };
  const sum = { period, statistic: Stats.SUM };
  const dashboard = new Dashboard(scope, 'Dashboard', { defaultInterval: Duration.hours(3) });
  dashboard.addWidgets(
    graph('Pending pods, by reason', [search('PendingPods', 'cluster,reason', 'Maximum')]),
    graph('Nodes asked for', [search('NodesRequested', 'cluster', 'Sum')]),
    graph('Seconds from Pending to raise', [
      search('SecondsToRaise', 'cluster', 'p50'),
      search('SecondsToRaise', 'cluster', 'p99'),
    ]),
    graph('Age of what is expected and has not come, in seconds', [
      search('LedgerAgeSeconds', 'cluster', 'Maximum'),
    ]),
    graph('Groups backed off, nodes refused', [
      search('GroupsBackedOff', 'cluster', 'Maximum'),
      search('NodesRefused', 'cluster', 'Maximum'),
    ]),
    graph('Failed looks', [search('LooksFailed', 'cluster', 'Sum')]),
    graph('Milliseconds of a look', [
      search('LookDuration', 'cluster', 'p50'),
      search('LookDuration', 'cluster', 'p99'),
    ]),
    graph('Heartbeats of relays', [search('RelayHeartbeats', 'cluster', 'Sum')]),
    graph('API calls', [search('ApiCalls', 'api', 'Sum')]),
    graph(
      'Errors of functions',
      queues((one) => one.function.metricErrors({ ...sum, label: one.name })),
    ),
    graph(
      'Age of the oldest message, in seconds',
      queues((one) => one.queue.metricApproximateAgeOfOldestMessage({ ...last, label: one.name })),
    ),
    graph('Dead letters and undelivered events', [
      ...queues((one) =>
        one.deadLetters.metricApproximateNumberOfMessagesVisible({
          ...last,
          label: `${one.name}: dead letters`,
        }),
      ),
      ...queues((one) =>
        one.undelivered.metricApproximateNumberOfMessagesVisible({
          ...last,
          label: `${one.name}: undelivered`,
        }),
      ),
    ]),
  );
  return dashboard;
};
