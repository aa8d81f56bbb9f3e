import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Outrider, type OutriderProps } from '../constructs/outrider.ts';

export interface OutriderStackProps extends StackProps, OutriderProps {}

/**
 * The project's own deployment: the construct, and the names that people, the commands and tests need of it.
 * The outputs' names are a contract with the commands (adapters/aws/cloudformation-deployments.ts).
 */
export class OutriderStack extends Stack {
  readonly outrider: Outrider;

  constructor(scope: Construct, id: string, props: OutriderStackProps) {
    super(scope, id, props);
    const outrider = new Outrider(this, 'Outrider', props);
    this.outrider = outrider;
    const { forwardEvents } = outrider;
    const roles = [...outrider.networks.values(), forwardEvents].map(({ role }) => role.roleArn);
    const outputs: Readonly<Record<string, string>> = {
      EventBusName: outrider.eventBus.eventBusName,
      TableName: outrider.table.tableName,
      DecisionsBucketName: outrider.decisions.bucketName,
      ConfigurationBucket: outrider.configurationObject.s3BucketName,
      ConfigurationKey: outrider.configurationObject.s3ObjectKey,
      PagesTopicArn: outrider.pages.topic.topicArn,
      DashboardName: outrider.dashboard.dashboardName,
      // For the roles of other accounts: whom they trust.
      FunctionRoleArns: roles.join(','),
      ForwardFunctionName: forwardEvents.function.functionName,
      ForwardQueueUrl: forwardEvents.queue.queueUrl,
      ForwardDeadLetterQueueUrl: forwardEvents.deadLetters.queueUrl,
    };
    for (const [name, value] of Object.entries(outputs)) this.output(name, value);
    for (const [name, network] of outrider.networks) {
      const prefix = `Network-${name}`;
      this.output(`${prefix}-QueueUrl`, network.queue.queueUrl);
      this.output(`${prefix}-DeadLetterQueueUrl`, network.deadLetters.queueUrl);
      this.output(`${prefix}-FunctionName`, network.function.functionName);
    }
  }

  private output(id: string, value: string): void {
    new CfnOutput(this, id, { value });
  }
}
