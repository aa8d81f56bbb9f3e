import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
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

/** Rings when something needs a person: each description says where to look first. */
export const addAlarms = (network: ScaleUpNetwork, name: string, topic?: ITopic): void => {
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
      description: `Network ${name}: scale-up crashed or ran out of time. Look at its log group.`,
    },
    {
      id: 'OldestMessageAlarm',
      metric: network.queue.metricApproximateAgeOfOldestMessage(depth),
      threshold: oldestMessageSeconds,
      description: `Network ${name}: hints and sweeps wait longer than ${oldestMessageSeconds / 60} minutes. Look for throttling, or for a cluster whose API server does not answer.`,
    },
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
