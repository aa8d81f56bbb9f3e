import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Outrider, type OutriderProps } from '../constructs/outrider.ts';

export interface OutriderStackProps extends StackProps, OutriderProps {}

/** The project's own deployment: the construct, and the names that people and tests need of it. */
export class OutriderStack extends Stack {
  readonly outrider: Outrider;

  constructor(scope: Construct, id: string, props: OutriderStackProps) {
    super(scope, id, props);
    this.outrider = new Outrider(this, 'Outrider', props);
    this.output('EventBusName', this.outrider.eventBus.eventBusName);
    this.output('TableName', this.outrider.table.tableName);
    this.output('DecisionsBucketName', this.outrider.decisions.bucketName);
    for (const [name, network] of this.outrider.networks) {
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
