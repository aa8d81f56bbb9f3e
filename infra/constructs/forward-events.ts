import { CfnResource, Duration, Names, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type EventBus, Rule } from 'aws-cdk-lib/aws-events';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { accountOfArn } from '#config/arn.ts';
import type { ClusterConfiguration } from '#config/configuration.ts';
import { forwardEnvironmentVariables } from '#config/environment.ts';
import {
  forwardedSource,
  instanceLaunchUnsuccessfulDetailType,
  instanceLaunchUnsuccessfulSource,
  launchFailedDetailType,
} from '#events/launch-failed.ts';
import { assumeRoles } from './cluster-statements.ts';
import { type FedQueue, fedQueue, feedFunction, targetOf } from './fed-queue.ts';
import { addStatements, cutBySize, fitRole } from './policy-size.ts';
import { queueFunction, variablesOf } from './queue-function.ts';
import * as grants from './statements.ts';
import { acknowledgeReads } from './wildcards.ts';

const functionTimeout = Duration.seconds(30);

/** It reads a page of groups and puts an event: a cold start is most of its work. */
const memoryMiB = 512;

/** A bus holds at most 10 KB of policy: some 500 accounts. */
const accountsOfPolicy = 100;

export interface ForwardEventsProps {
  readonly clusters: readonly ClusterConfiguration[];
  readonly eventBus: EventBus;
  readonly configuration: Asset;
  readonly code: Code;
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * What exists once, outside the networks: AWS's events name an Auto Scaling group and no cluster, so
 * `forward-events` finds whose it is and puts a hint on the custom bus, which routes it by network.
 */
export class ForwardEvents extends Construct implements FedQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly undelivered: Queue;
  readonly function: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ForwardEventsProps) {
    super(scope, id);
    const { queue, deadLetters, undelivered } = fedQueue(this, functionTimeout);
    this.queue = queue;
    this.deadLetters = deadLetters;
    this.undelivered = undelivered;
    const { function: forward, role } = this.forwardFunction(props);
    this.function = forward;
    this.role = role;
    feedFunction(forward, this, { batchSize: 10 });
    // Events of AWS come on the default bus.
    new Rule(this, 'LaunchUnsuccessful', {
      description: 'Launches of Auto Scaling groups that failed.',
      eventPattern: {
        source: [instanceLaunchUnsuccessfulSource],
        detailType: [instanceLaunchUnsuccessfulDetailType],
      },
      targets: [targetOf(this)],
    });
    this.letAccountsForward(props.clusters);
  }

  private forwardFunction(props: ForwardEventsProps) {
    const built = queueFunction(this, 'Forward', {
      description: 'Tells clusters of the launches that failed in their groups.',
      roleDescription: "What Outrider's forward-events may do.",
      code: props.code,
      timeout: functionTimeout,
      memoryMiB,
      logRetention: props.logRetention,
      removalPolicy: props.removalPolicy,
      environment: variablesOf(forwardEnvironmentVariables, {
        configurationBucket: props.configuration.s3BucketName,
        configurationKey: props.configuration.s3ObjectKey,
        eventBusName: props.eventBus.eventBusName,
        deadLetterQueueUrl: this.deadLetters.queueUrl,
      }),
      statements: (logGroup) => [
        grants.writeLog(logGroup),
        grants.receive(this.queue, { giveBack: false }),
        grants.allow('RecordDeadLetters', ['sqs:SendMessage'], [this.deadLetters.queueArn]),
        grants.readConfigurationObject(props.configuration),
        grants.readAnywhere('FindGroups', ['autoscaling:DescribeAutoScalingGroups']),
        grants.putEvents(props.eventBus, {
          sources: [forwardedSource],
          detailTypes: [launchFailedDetailType],
        }),
      ],
    });
    const roles = assumeRoles(props.clusters);
    if (!fitRole(this, roles)) {
      throw new Error(
        'clusters: name more roles of other accounts than one IAM role may be allowed to assume (about 1,000); use a second deployment',
      );
    }
    addStatements(built.role, roles);
    acknowledgeReads(built.role);
    return built;
  }

  /** The clusters' own accounts may send this one kind of event of AWS here. */
  private letAccountsForward(clusters: readonly ClusterConfiguration[]): void {
    const accounts = new Set(
      clusters.flatMap(({ account }) => accountOfArn(account?.roleArn) ?? []),
    );
    cutBySize([...accounts].sort(), () => 1, accountsOfPolicy).forEach((some, index) => {
      // Not CfnEventBusPolicy: making one warns of a property that is not even set.
      new CfnResource(this, `Accounts${index + 1}`, {
        type: 'AWS::Events::EventBusPolicy',
        properties: {
          StatementId: `${Names.uniqueResourceName(this, { maxLength: 50 })}-${index + 1}`,
          Statement: {
            Effect: 'Allow',
            Principal: { AWS: some },
            Action: 'events:PutEvents',
            Resource: Stack.of(this).formatArn({
              service: 'events',
              resource: 'event-bus',
              resourceName: 'default',
            }),
            Condition: {
              StringEquals: {
                'events:source': instanceLaunchUnsuccessfulSource,
                'events:detail-type': instanceLaunchUnsuccessfulDetailType,
              },
            },
          },
        },
      });
    });
  }
}
