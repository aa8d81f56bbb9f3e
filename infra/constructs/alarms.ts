import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { FedQueue } from './fed-queue.ts';

export interface Watched {
  readonly id: string;
  readonly metric: IMetric;
  /** Rings above the threshold, or below it. */
  readonly rings: 'above' | 'below';
  readonly threshold: number;
  readonly missing: TreatMissingData;
  readonly description: string;
}

/** An alarm that tells every topic. */
export const addAlarm = (scope: Construct, watched: Watched, topics: readonly ITopic[]): void => {
  const alarm = new Alarm(scope, watched.id, {
    metric: watched.metric,
    threshold: watched.threshold,
    alarmDescription: watched.description,
    evaluationPeriods: 1,
    comparisonOperator:
      watched.rings === 'above'
        ? ComparisonOperator.GREATER_THAN_THRESHOLD
        : ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: watched.missing,
  });
  for (const topic of topics) alarm.addAlarmAction(new SnsAction(topic));
};

type Fed = Construct & FedQueue & { readonly function: LambdaFunction };

/** How old the oldest message may grow: beyond it messages are not being worked off. */
const oldestMessageSeconds = 600;

/**
 * Rings when a function or its queue needs a person: each description says where to look first.
 *
 * @param name how people call it: `Network main`.
 */
export const addQueueAlarms = (fed: Fed, name: string, topics: readonly ITopic[]): void => {
  const period = Duration.minutes(1);
  const depth = { period, statistic: Stats.MAXIMUM };
  const above = { rings: 'above', missing: TreatMissingData.NOT_BREACHING } as const;
  const all: readonly Watched[] = [
    {
      ...above,
      id: 'DeadLettersAlarm',
      metric: fed.deadLetters.metricApproximateNumberOfMessagesVisible(depth),
      threshold: 0,
      description: `${name}: messages that Outrider could do nothing with. Read them with outrider deadletters list, or in ${fed.deadLetters.queueName}, and the reason in the function's log.`,
    },
    {
      ...above,
      id: 'UndeliveredAlarm',
      metric: fed.undelivered.metricApproximateNumberOfMessagesVisible(depth),
      threshold: 0,
      description: `${name}: EventBridge could not reach the queue. Look at the policy of ${fed.queue.queueName}.`,
    },
    {
      ...above,
      id: 'ErrorsAlarm',
      metric: fed.function.metricErrors({ period, statistic: Stats.SUM }),
      threshold: 0,
      description: `${name}: the function could not be loaded, or its process was killed (memory, time). Look at its log group.`,
    },
    {
      ...above,
      id: 'OldestMessageAlarm',
      metric: fed.queue.metricApproximateAgeOfOldestMessage(depth),
      threshold: oldestMessageSeconds,
      description: `${name}: messages wait longer than ${oldestMessageSeconds / 60} minutes. Look for throttling, or for a cluster whose API server does not answer.`,
    },
  ];
  for (const each of all) addAlarm(fed, each, topics);
};
