import { Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type EventBus, Match, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ClusterConfiguration, NetworkConfiguration } from '#config/configuration.ts';
import { type Environment, environmentVariables } from '#config/environment.ts';
import { podPendingDetailType, podPendingSourcePrefix } from '#events/pod-pending.ts';
import { type SweepEvent, sweepDetailType, sweepSource } from '#events/sweep.ts';
import { networkPlacement, networkStatements } from './network-placement.ts';
import { acknowledgeWildcards, scaleUpStatements } from './scale-up-statements.ts';

/** Long enough for one look at a large cluster, short since a message of a dead process waits six times it. */
const functionTimeout = Duration.seconds(30);

/** A hint that meets a held lease comes back 2 to 30 seconds later; a lease left behind runs out before this many. */
const maxReceiveCount = 10;

export interface ScaleUpNetworkProps {
  readonly network: NetworkConfiguration;
  /** The clusters of this network. */
  readonly clusters: readonly ClusterConfiguration[];
  readonly eventBus: EventBus;
  readonly table: Table;
  readonly decisions: Bucket;
  readonly configuration: Asset;
  readonly code: Code;
  readonly engineVersion: string;
  readonly sweepInterval: Duration;
  readonly memoryMiB: number;
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/** What exists once per network: the queue, its dead letters, the rules that feed it and `scale-up`. */
export class ScaleUpNetwork extends Construct {
  readonly queue: Queue;
  /** Messages that nothing could be done with. */
  readonly deadLetters: Queue;
  /** Events that EventBridge could not put on the queue. */
  readonly undelivered: Queue;
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ScaleUpNetworkProps) {
    super(scope, id);
    this.deadLetters = this.standardQueue('DeadLetters', { retentionPeriod: Duration.days(14) });
    this.undelivered = this.standardQueue('Undelivered', { retentionPeriod: Duration.days(14) });
    Validations.of(this.undelivered).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'It is the dead-letter queue of the rules, which name it where the check does not look.',
    });
    this.queue = this.standardQueue('Queue', {
      retentionPeriod: Duration.days(4),
      visibilityTimeout: Duration.seconds(functionTimeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });
    this.function = this.scaleUpFunction(props);
    this.function.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 10,
        // A hint is worth most in its first second: no waiting for company.
        maxBatchingWindow: Duration.seconds(0),
        reportBatchItemFailures: true,
      }),
    );
    this.feed(props);
  }

  private standardQueue(id: string, props: ConstructorParameters<typeof Queue>[2]): Queue {
    return new Queue(this, id, {
      ...props,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
  }

  private feed({ network, eventBus, sweepInterval }: ScaleUpNetworkProps): void {
    const deadLetterQueue = this.undelivered;
    new Rule(this, 'PodPending', {
      description: `Pods that clusters of network ${network.name} could not place.`,
      eventBus,
      eventPattern: {
        source: Match.prefix(podPendingSourcePrefix),
        detailType: [podPendingDetailType],
        detail: { network: [network.name] },
      },
      targets: [new SqsQueue(this.queue, { deadLetterQueue })],
    });
    const sweep: SweepEvent = {
      source: sweepSource,
      'detail-type': sweepDetailType,
      detail: { network: network.name },
    };
    // Schedules exist on the default bus only.
    new Rule(this, 'Sweep', {
      description: `Looks at every cluster of network ${network.name}, hint or not.`,
      schedule: Schedule.rate(sweepInterval),
      targets: [
        new SqsQueue(this.queue, { deadLetterQueue, message: RuleTargetInput.fromObject(sweep) }),
      ],
    });
  }

  private scaleUpFunction(props: ScaleUpNetworkProps): LambdaFunction {
    const { network, clusters, table, decisions, configuration } = props;
    const logGroup = new LogGroup(this, 'Log', {
      retention: props.logRetention,
      removalPolicy: props.removalPolicy,
    });
    const role = new Role(this, 'Role', {
      description: `What Outrider's scale-up may do in network ${network.name}.`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    const statements = [
      ...scaleUpStatements(Stack.of(this), {
        table,
        decisions,
        configuration,
        deadLetters: this.deadLetters,
        logGroup,
        clusters,
      }),
      ...networkStatements(network),
    ];
    for (const statement of statements) role.addToPolicy(statement);
    acknowledgeWildcards(role, decisions);
    return new LambdaFunction(this, 'ScaleUp', {
      description: `Makes Auto Scaling groups bigger for Pending pods (network ${network.name}).`,
      code: props.code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMiB,
      timeout: functionTimeout,
      role,
      logGroup,
      environment: this.environmentOf(props),
      ...networkPlacement(this, network),
    });
  }

  private environmentOf(props: ScaleUpNetworkProps): Record<string, string> {
    const values: Environment = {
      table: props.table.tableName,
      decisionsBucket: props.decisions.bucketName,
      configurationBucket: props.configuration.s3BucketName,
      configurationKey: props.configuration.s3ObjectKey,
      network: props.network.name,
      deadLetterQueueUrl: this.deadLetters.queueUrl,
      queueUrl: this.queue.queueUrl,
      pagesTopicArn: 'none',
      engineVersion: props.engineVersion,
    };
    return Object.fromEntries(
      Object.entries(environmentVariables).map(([field, name]) => [
        name,
        values[field as keyof Environment],
      ]),
    );
  }
}
