import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type EventBus, Match, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { type Code, type Function as LambdaFunction, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ClusterConfiguration, NetworkConfiguration } from '#config/configuration.ts';
import { environmentVariables } from '#config/environment.ts';
import { clusterDetailTypes } from '#events/cluster-events.ts';
import { clusterSourcePrefix } from '#events/cluster-source.ts';
import { forwardedSource, launchFailedDetailType } from '#events/launch-failed.ts';
import { type SweepEvent, sweepDetailType, sweepSource } from '#events/sweep.ts';
import { clusterStatements } from './cluster-statements.ts';
import { type FedQueue, fedQueue, feedFunction, targetOf } from './fed-queue.ts';
import { networkPlacement, networkStatements } from './network-placement.ts';
import type { PagesTopic } from './pages-topic.ts';
import { addStatements } from './policy-size.ts';
import { queueFunction, variablesOf } from './queue-function.ts';
import * as grants from './statements.ts';
import {
  acknowledgeDecisions,
  acknowledgeRaises,
  acknowledgeReads,
  acknowledgeSecretFolders,
} from './wildcards.ts';

/** Long enough for one look at a large cluster, short since a message of a dead process waits six times it. */
const functionTimeout = Duration.seconds(30);

export interface ScaleUpNetworkProps {
  readonly network: NetworkConfiguration;
  /** The clusters of this network. */
  readonly clusters: readonly ClusterConfiguration[];
  readonly eventBus: EventBus;
  readonly table: Table;
  readonly decisions: Bucket;
  readonly configuration: Asset;
  readonly pages: PagesTopic;
  readonly code: Code;
  readonly engineVersion: string;
  readonly sweepInterval: Duration;
  readonly maxConcurrency: number;
  readonly memoryMiB: number;
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/** What exists once per network: the queue, its dead letters, the rules that feed it and `scale-up`. */
export class ScaleUpNetwork extends Construct implements FedQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly undelivered: Queue;
  readonly function: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ScaleUpNetworkProps) {
    super(scope, id);
    const { queue, deadLetters, undelivered } = fedQueue(this, functionTimeout);
    this.queue = queue;
    this.deadLetters = deadLetters;
    this.undelivered = undelivered;
    const { function: scaleUp, role } = this.scaleUpFunction(props);
    this.function = scaleUp;
    this.role = role;
    // As many as one invocation looks at side by side, so that none waits for one that does not answer.
    feedFunction(scaleUp, this, { batchSize: 5, maxConcurrency: props.maxConcurrency });
    this.hear(props);
    this.sweep(props);
  }

  /** What comes over the custom bus for clusters of this network. */
  private hear({ network, eventBus }: ScaleUpNetworkProps): void {
    const detail = { network: [network.name] };
    new Rule(this, 'Hints', {
      description: `What relays and event exporters of network ${network.name} tell.`,
      eventBus,
      eventPattern: {
        source: Match.prefix(clusterSourcePrefix),
        detailType: [...clusterDetailTypes],
        detail,
      },
      targets: [targetOf(this)],
    });
    new Rule(this, 'LaunchFailed', {
      description: `Launches that failed in groups of network ${network.name}.`,
      eventBus,
      eventPattern: { source: [forwardedSource], detailType: [launchFailedDetailType], detail },
      targets: [targetOf(this)],
    });
  }

  private sweep({ network, sweepInterval }: ScaleUpNetworkProps): void {
    const sweep: SweepEvent = {
      source: sweepSource,
      'detail-type': sweepDetailType,
      detail: { network: network.name },
    };
    // Schedules exist on the default bus only.
    new Rule(this, 'Sweep', {
      description: `Looks at every cluster of network ${network.name}, hint or not.`,
      schedule: Schedule.rate(sweepInterval),
      targets: [targetOf(this, { message: RuleTargetInput.fromObject(sweep) })],
    });
  }

  private scaleUpFunction(props: ScaleUpNetworkProps) {
    const { network, clusters } = props;
    const built = queueFunction(this, 'ScaleUp', {
      description: `Makes Auto Scaling groups bigger for Pending pods (network ${network.name}).`,
      roleDescription: `What Outrider's scale-up may do in network ${network.name}.`,
      code: props.code,
      timeout: functionTimeout,
      memoryMiB: props.memoryMiB,
      logRetention: props.logRetention,
      removalPolicy: props.removalPolicy,
      environment: this.environmentOf(props),
      options: {
        ...networkPlacement(this, network),
        // A look that could not do everything sends itself a message, and so may the next one: Lambda would
        // cut such a chain after about 16. Each message counts its step, and a look beyond the most steps
        // leaves the rest to the sweep, so that no chain is endless.
        recursiveLoop: RecursiveLoop.ALLOW,
      },
      statements: (logGroup) => [
        grants.writeLog(logGroup),
        grants.receive(this.queue, { giveBack: true }),
        grants.allow('WakeItself', ['sqs:SendMessage'], [this.queue.queueArn]),
        grants.allow('RecordDeadLetters', ['sqs:SendMessage'], [this.deadLetters.queueArn]),
        grants.remember(props.table),
        grants.keepDecisions(props.decisions),
        grants.readConfigurationObject(props.configuration),
        ...grants.page(props.pages.topic, props.pages.key),
        grants.readAnywhere('ReadNodeGroups', grants.nodeGroupReads),
        grants.readAnywhere('ReadPrices', grants.priceReads),
        ...networkStatements(network),
      ],
    });
    const granted = clusterStatements(this, { network: network.name, clusters });
    addStatements(built.role, granted.statements);
    acknowledgeReads(built.role);
    acknowledgeDecisions(built.role, props.decisions);
    acknowledgeRaises(built.role);
    acknowledgeSecretFolders(built.role, granted.secretFolders);
    return built;
  }

  private environmentOf(props: ScaleUpNetworkProps): Readonly<Record<string, string>> {
    return variablesOf(environmentVariables, {
      table: props.table.tableName,
      decisionsBucket: props.decisions.bucketName,
      configurationBucket: props.configuration.s3BucketName,
      configurationKey: props.configuration.s3ObjectKey,
      network: props.network.name,
      deadLetterQueueUrl: this.deadLetters.queueUrl,
      queueUrl: this.queue.queueUrl,
      pagesTopicArn: props.pages.topic.topicArn,
      engineVersion: props.engineVersion,
    });
  }
}
