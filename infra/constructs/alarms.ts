import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { metricsNamespace } from '#config/metrics.ts';
import type { ScaleUpNetwork } from './scale-up-network.ts';

interface Watched {
  readonly id: string;
  readonly metric: IMetric;
  /** The alarm rings above it. */
  readonly threshold: number;
  readonly description: string;
}

const period = Duration.minutes(1);

/** How old the oldest message may grow: beyond it neither hints nor sweeps are being worked off. */
const oldestMessageSeconds = 600;

/** Of five sweeps; one failed look is mended by the next. */
const failedLooks = 3;

/** Rings when something needs a person: each description says where to look first. */
export const addAlarms = (
  network: ScaleUpNetwork,
  { name, clusters }: { readonly name: string; readonly clusters: readonly string[] },
  topic?: ITopic,
): void => {
  const depth = { period, statistic: Stats.MAXIMUM };
  const watched: readonly Watched[] = [
    {
      id: 'DeadLettersAlarm',
      metric: network.deadLetters.metricApproximateNumberOfMessagesVisible(depth),
      threshold: 0,
      description: `Network ${name}: messages that Outrider could do nothing with. Read them in ${network.deadLetters.queueName}, and the reason in the function's log.`,
    },
    {
      id: 'UndeliveredAlarm',
      metric: network.undelivered.metricApproximateNumberOfMessagesVisible(depth),
      threshold: 0,
      description: `Network ${name}: EventBridge could not reach the queue. Look at the policy of ${network.queue.queueName}.`,
    },
    {
      id: 'ErrorsAlarm',
      metric: network.function.metricErrors({ period, statistic: Stats.SUM }),
      threshold: 0,
      description: `Network ${name}: scale-up could not be loaded, or its process was killed (memory, time). Look at its log group.`,
    },
    {
      id: 'OldestMessageAlarm',
      metric: network.queue.metricApproximateAgeOfOldestMessage(depth),
      threshold: oldestMessageSeconds,
      description: `Network ${name}: hints and sweeps wait longer than ${oldestMessageSeconds / 60} minutes. Look for throttling, or for a cluster whose API server does not answer.`,
    },
    ...clusters.map((cluster) => ({
      id: `Cluster-${cluster}-Alarm`,
      // Emitted by each look, also by one whose errors were handled and so are none of the function's.
      metric: new Metric({
        namespace: metricsNamespace,
        metricName: 'LooksFailed',
        dimensionsMap: { cluster },
        period: Duration.minutes(5),
        statistic: Stats.SUM,
      }),
      threshold: failedLooks,
      description: `Cluster ${cluster} could not be looked at more than ${failedLooks} times in five minutes: nothing is scaled there. The function's log says which call failed.`,
    })),
  ];
  for (const { id, metric, threshold, description } of watched) {
    const alarm = new Alarm(network, id, {
      metric,
      threshold,
      alarmDescription: description,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (topic !== undefined) alarm.addAlarmAction(new SnsAction(topic));
  }
};
