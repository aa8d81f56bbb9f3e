import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricStatisticsCommand,
} from '@aws-sdk/client-cloudwatch';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { metricsNamespace } from '#config/metrics.ts';
import type { DeploymentHealth, MetricQuestion, RingingAlarm } from '#ports/deployment-health.ts';
import { PortError } from '#ports/port-error.ts';
import { watchAnswerClock } from './answer-clock.ts';
import { calling } from './aws-error.ts';
import { clientOptions } from './client-options.ts';

/** Asks each service by its own describing calls, with the rights of whoever runs the command. */
export function awsDeploymentHealth(stack: string): DeploymentHealth {
  const cloudFormation = new CloudFormationClient(clientOptions);
  const cloudWatch = new CloudWatchClient(clientOptions);
  const lambda = new LambdaClient(clientOptions);
  const sqs = new SQSClient(clientOptions);
  const sns = new SNSClient(clientOptions);
  const quotas = new ServiceQuotasClient(clientOptions);
  const clock = watchAnswerClock(cloudFormation);

  return {
    async clockAheadMs() {
      const command = new DescribeStacksCommand({ StackName: stack });
      await calling('DescribeStacks', () => cloudFormation.send(command));
      const ahead = clock.aheadMs();
      if (ahead === undefined) throw new PortError('unavailable', 'AWS gave no time of its own');
      return ahead;
    },

    async functionState(name) {
      const command = new GetFunctionConfigurationCommand({ FunctionName: name });
      const answer = await calling(`GetFunctionConfiguration (${name})`, () =>
        lambda.send(command),
      );
      // Older functions have no state and are active.
      const { State: state = 'Active', StateReason: reason } = answer;
      return { state, ...(reason === undefined ? {} : { reason }) };
    },

    ringing: (ofStack) => ringing(cloudWatch, ofStack),

    async queueDepth(url) {
      const command = new GetQueueAttributesCommand({
        QueueUrl: url,
        AttributeNames: [
          'ApproximateNumberOfMessages',
          'ApproximateNumberOfMessagesNotVisible',
          'ApproximateNumberOfMessagesDelayed',
        ],
      });
      const { Attributes = {} } = await calling('GetQueueAttributes', () => sqs.send(command));
      return {
        visible: Number(Attributes.ApproximateNumberOfMessages ?? 0),
        inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
        delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
      };
    },

    metric: (question) => metric(cloudWatch, question),

    async subscribers(topicArn) {
      const command = new GetTopicAttributesCommand({ TopicArn: topicArn });
      const { Attributes = {} } = await calling('GetTopicAttributes', () => sns.send(command));
      return Number(Attributes.SubscriptionsConfirmed ?? 0);
    },

    async vcpuQuota(code) {
      const command = new GetServiceQuotaCommand({ ServiceCode: 'ec2', QuotaCode: code });
      const { Quota } = await calling(`GetServiceQuota (${code})`, () => quotas.send(command));
      if (Quota?.Value === undefined) {
        throw new PortError('unavailable', `GetServiceQuota (${code}): no value`);
      }
      return Quota.Value;
    },
  };
}

/** CloudFormation names alarms `<stack>-<logical id>-<letters>`. */
const ringing = async (
  client: CloudWatchClient,
  stack: string,
): Promise<readonly RingingAlarm[]> => {
  const found: RingingAlarm[] = [];
  let token: string | undefined;
  do {
    const command = new DescribeAlarmsCommand({
      AlarmNamePrefix: `${stack}-`,
      StateValue: 'ALARM',
      ...(token !== undefined && { NextToken: token }),
    });
    const answer = await calling('DescribeAlarms', () => client.send(command));
    for (const alarm of answer.MetricAlarms ?? []) {
      const sinceMs = alarm.StateUpdatedTimestamp?.getTime();
      found.push({
        name: alarm.AlarmName ?? '',
        description: alarm.AlarmDescription ?? '',
        ...(sinceMs === undefined ? {} : { sinceMs }),
      });
    }
    token = answer.NextToken || undefined;
  } while (token !== undefined);
  return found;
};

const periodSeconds = 60;

const metric = async (
  client: CloudWatchClient,
  question: MetricQuestion,
): Promise<number | undefined> => {
  const { name, dimensions, statistic, sinceMs } = question;
  const command = new GetMetricStatisticsCommand({
    Namespace: question.namespace ?? metricsNamespace,
    MetricName: name,
    Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
    Statistics: [statistic],
    StartTime: new Date(sinceMs),
    EndTime: new Date(),
    Period: periodSeconds,
  });
  const { Datapoints = [] } = await calling(`GetMetricStatistics (${name})`, () =>
    client.send(command),
  );
  const values = Datapoints.map((point) => point[statistic] ?? 0);
  if (values.length === 0) return undefined;
  return statistic === 'Maximum'
    ? values.reduce((a, b) => Math.max(a, b))
    : values.reduce((a, b) => a + b);
};
