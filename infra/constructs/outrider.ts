import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Configuration } from '#config/configuration.ts';
import { podPendingDetailType, podPendingSourcePrefix } from '#events/pod-pending.ts';
import { functionCode } from '../bundling/function-code.ts';
import { addAlarms } from './alarms.ts';
import { checkConfigurationFile } from './configuration-file.ts';
import { ScaleUpNetwork } from './scale-up-network.ts';

export interface OutriderProps {
  /** Path of `outrider.yaml`: clusters, networks and policy. Checked at synthesis, deployed with the functions. */
  readonly configurationFile: string;
  /**
   * Name of the bus that relays put their events on.
   * @default 'outrider'
   */
  readonly eventBusName?: string;
  /**
   * How often every cluster is looked at without a hint. Whole minutes.
   * @default Duration.minutes(1)
   */
  readonly sweepInterval?: Duration;
  /**
   * Memory of each `scale-up` function. 1769 MiB is one whole vCPU, which shortens cold starts most, since
   * loading and deciding use one thread; 3008 MiB is meant for clusters of thousands of nodes.
   * @default 1769
   */
  readonly memoryMiB?: number;
  /**
   * How long decisions can be replayed.
   * @default Duration.days(90)
   */
  readonly decisionRetention?: Duration;
  /** @default RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays;
  /**
   * Told of every alarm.
   * @default - alarms change their state and tell nobody
   */
  readonly alarmTopic?: ITopic;
  /**
   * What becomes of the table, the bucket and the logs with the stack. Anything but DESTROY also protects
   * the table against deletion.
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

const handlerOf = (name: string): string =>
  fileURLToPath(new URL(`../../functions/${name}/handler.ts`, import.meta.url));

const engineVersion = (): string => {
  const file = fileURLToPath(new URL('../../package.json', import.meta.url));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};

/**
 * Outrider in one account and region: a bus for hints, the memory (a table and a bucket), and per network a
 * queue, the `scale-up` function and the sweep that feeds it.
 *
 * Construct ids are a contract: a changed id would replace the table.
 */
export class Outrider extends Construct {
  readonly eventBus: EventBus;
  readonly table: Table;
  /** Decisions with all that they were made from, under `decisions/`. */
  readonly decisions: Bucket;
  readonly configuration: Configuration;
  /** By name of the network. */
  readonly networks: ReadonlyMap<string, ScaleUpNetwork>;

  constructor(scope: Construct, id: string, props: OutriderProps) {
    super(scope, id);
    const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    const sweepInterval = props.sweepInterval ?? Duration.minutes(1);
    refuseBadProps(sweepInterval, props.memoryMiB);
    const { configuration, deployedPath } = checkConfigurationFile(props.configurationFile);
    this.configuration = configuration;
    this.eventBus = new EventBus(this, 'EventBus', {
      eventBusName: props.eventBusName ?? 'outrider',
      description: 'Hints of Outrider: pods that clusters could not place.',
    });
    this.table = this.createTable(removalPolicy);
    this.decisions = this.createBucket(removalPolicy, props.decisionRetention ?? Duration.days(90));
    const shared = {
      eventBus: this.eventBus,
      table: this.table,
      decisions: this.decisions,
      configuration: new Asset(this, 'Configuration', { path: deployedPath }),
      code: functionCode(handlerOf('scale-up')),
      engineVersion: engineVersion(),
      sweepInterval,
      memoryMiB: props.memoryMiB ?? 1769,
      logRetention: props.logRetention ?? RetentionDays.ONE_MONTH,
      removalPolicy,
    };
    this.networks = new Map(
      configuration.networks.map((network) => {
        const clusters = configuration.clusters.filter((each) => each.network === network.name);
        const built = new ScaleUpNetwork(this, `Network-${network.name}`, {
          ...shared,
          network,
          clusters,
        });
        const watched = { name: network.name, clusters: clusters.map(({ name }) => name) };
        addAlarms(built, watched, props.alarmTopic);
        return [network.name, built];
      }),
    );
  }

  /**
   * Lets a cluster's relay put its hints on the bus: events of that cluster's source and no other.
   * Throws for a cluster that the configuration does not name.
   */
  grantPutEvents(cluster: string, grantee: IGrantable): Grant {
    const known = this.configuration.clusters.map(({ name }) => name);
    if (!known.includes(cluster)) {
      throw new Error(
        `grantPutEvents: ${cluster} is not a cluster of the configuration; it names ${known.join(', ') || 'none'}`,
      );
    }
    return Grant.addToPrincipal({
      grantee,
      actions: ['events:PutEvents'],
      resourceArns: [this.eventBus.eventBusArn],
      // Both keys can hold several values, and "for all values" holds of none too: hence the second condition.
      conditions: {
        'ForAllValues:StringEquals': {
          'events:source': [`${podPendingSourcePrefix}${cluster}`],
          'events:detail-type': [podPendingDetailType],
        },
        Null: { 'events:source': 'false', 'events:detail-type': 'false' },
      },
    });
  }

  private createTable(removalPolicy: RemovalPolicy): Table {
    return new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expiresAt',
      deletionProtection: removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy,
    });
  }

  private createBucket(removalPolicy: RemovalPolicy, retention: Duration): Bucket {
    const bucket = new Bucket(this, 'Decisions', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        {
          expiration: retention,
          noncurrentVersionExpiration: Duration.days(7),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only the functions write and read it, each record once; CloudTrail data events tell more than server access logs where somebody needs them.',
    });
    return bucket;
  }
}

const refuseBadProps = (sweepInterval: Duration, memoryMiB: number | undefined): void => {
  const seconds = sweepInterval.toSeconds();
  if (seconds < 60 || seconds % 60 !== 0) {
    throw new Error(
      `sweepInterval: is ${seconds} seconds; EventBridge schedules run in whole minutes, so give Duration.minutes(1) or more`,
    );
  }
  if (memoryMiB !== undefined && (memoryMiB < 512 || memoryMiB > 10_240)) {
    throw new Error(`memoryMiB: is ${memoryMiB}; give 512 to 10240 (1769 is one vCPU)`);
  }
};
