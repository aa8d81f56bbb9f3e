import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Configuration } from '#config/configuration.ts';
import { clusterDetailTypes } from '#events/cluster-events.ts';
import { clusterSourceOf } from '#events/cluster-source.ts';
import { functionCode } from '../bundling/function-code.ts';
import { addQueueAlarms } from './alarms.ts';
import { addClusterAlarms } from './cluster-alarms.ts';
import { checkConfigurationFile, writeDeployedFile } from './configuration-file.ts';
import { addDashboard } from './dashboard.ts';
import { ForwardEvents } from './forward-events.ts';
import { createDecisions, createTable } from './memory.ts';
import { PagesTopic } from './pages-topic.ts';
import { ScaleUpNetwork } from './scale-up-network.ts';
import { putEvents } from './statements.ts';

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
   * How many copies of each `scale-up` function may work at once, 2 to 1000: each looks at up to five clusters.
   * Some are taken up by clusters that answer slowly; more would only meet AWS's throttling.
   * @default 20
   */
  readonly maxConcurrency?: number;
  /**
   * How long decisions can be replayed.
   * @default Duration.days(90)
   */
  readonly decisionRetention?: Duration;
  /** @default RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays;
  /**
   * Told of every alarm, beside the topic of pages.
   * @default - only the topic of pages is told
   */
  readonly alarmTopic?: ITopic;
  /**
   * What becomes of the table, the bucket, the key and the logs with the stack. Anything but DESTROY also protects
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
 * Outrider in one account and region: a bus for hints, the memory (a table and a bucket), the topic of pages,
 * `forward-events` for what AWS tells, and per network a queue, the `scale-up` function and the sweep that
 * feeds it.
 *
 * Construct ids are a contract: a changed id would replace the table.
 */
export class Outrider extends Construct {
  readonly eventBus: EventBus;
  readonly table: Table;
  /** Decisions with all that they were made from, under `decisions/`. */
  readonly decisions: Bucket;
  readonly configuration: Configuration;
  /** Where the functions read the configuration. */
  readonly configurationObject: Asset;
  readonly pages: PagesTopic;
  readonly forwardEvents: ForwardEvents;
  /** By name of the network. */
  readonly networks: ReadonlyMap<string, ScaleUpNetwork>;
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, props: OutriderProps) {
    super(scope, id);
    const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    const sweepInterval = props.sweepInterval ?? Duration.minutes(1);
    refuseBadProps(props);
    const { configuration, text } = checkConfigurationFile(props.configurationFile);
    this.configuration = configuration;
    this.eventBus = new EventBus(this, 'EventBus', {
      eventBusName: props.eventBusName ?? 'outrider',
      description: 'Hints of Outrider: pods that clusters could not place, nodes that changed.',
    });
    this.table = createTable(this, removalPolicy);
    this.decisions = createDecisions(
      this,
      removalPolicy,
      props.decisionRetention ?? Duration.days(90),
    );
    this.configurationObject = new Asset(this, 'Configuration', {
      path: writeDeployedFile(this, text),
    });
    this.pages = new PagesTopic(this, 'Pages', removalPolicy);
    const shared = {
      eventBus: this.eventBus,
      configuration: this.configurationObject,
      logRetention: props.logRetention ?? RetentionDays.ONE_MONTH,
      removalPolicy,
    };
    this.forwardEvents = new ForwardEvents(this, 'ForwardEvents', {
      ...shared,
      clusters: configuration.clusters,
      code: functionCode(handlerOf('forward-events')),
    });
    const scaleUp = {
      ...shared,
      engineVersion: engineVersion(),
      table: this.table,
      decisions: this.decisions,
      pages: this.pages,
      code: functionCode(handlerOf('scale-up')),
      sweepInterval,
      maxConcurrency: props.maxConcurrency ?? 20,
      memoryMiB: props.memoryMiB ?? 1769,
    };
    this.networks = new Map(
      configuration.networks.map((network) => {
        const clusters = configuration.clusters.filter((each) => each.network === network.name);
        const id = `Network-${network.name}`;
        return [network.name, new ScaleUpNetwork(this, id, { ...scaleUp, network, clusters })];
      }),
    );
    this.watch(props.alarmTopic);
    this.dashboard = addDashboard(this, this.fed());
  }

  /**
   * Lets a cluster's relay, or its event exporter, put its hints on the bus: events of that cluster's source
   * and no other. Throws for a cluster that the configuration does not name.
   */
  grantPutEvents(cluster: string, grantee: IGrantable): Grant {
    const known = this.configuration.clusters.map(({ name }) => name);
    if (!known.includes(cluster)) {
      throw new Error(
        `grantPutEvents: ${cluster} is not a cluster of the configuration; it names ${known.join(', ') || 'none'}`,
      );
    }
    const statement = putEvents(this.eventBus, {
      sources: [clusterSourceOf(cluster)],
      detailTypes: clusterDetailTypes,
    });
    return Grant.addToPrincipal({
      grantee,
      actions: statement.actions,
      resourceArns: statement.resources,
      conditions: statement.conditions,
    });
  }

  /** Every function with the queues around it, by what people call it. */
  private fed() {
    const named = (name: string, { queue, deadLetters, undelivered, function: fed }: Fed) => ({
      name,
      queue,
      deadLetters,
      undelivered,
      function: fed,
    });
    return [
      ...[...this.networks].map(([name, network]) => named(`Network ${name}`, network)),
      named('Events of AWS', this.forwardEvents),
    ];
  }

  private watch(alarmTopic: ITopic | undefined): void {
    const topics = [this.pages.topic, ...(alarmTopic === undefined ? [] : [alarmTopic])];
    for (const [name, network] of this.networks) addQueueAlarms(network, `Network ${name}`, topics);
    addQueueAlarms(this.forwardEvents, 'Events of AWS (forward-events)', topics);
    addClusterAlarms(this, this.configuration.clusters, topics);
  }
}

type Fed = ScaleUpNetwork | ForwardEvents;

const refuseBadProps = ({ sweepInterval, memoryMiB, maxConcurrency }: OutriderProps): void => {
  const seconds = sweepInterval?.toSeconds() ?? 60;
  if (seconds < 60 || seconds % 60 !== 0) {
    throw new Error(
      `sweepInterval: is ${seconds} seconds; EventBridge schedules run in whole minutes, so give Duration.minutes(1) or more`,
    );
  }
  if (memoryMiB !== undefined && (memoryMiB < 512 || memoryMiB > 10_240)) {
    throw new Error(`memoryMiB: is ${memoryMiB}; give 512 to 10240 (1769 is one vCPU)`);
  }
  if (maxConcurrency !== undefined && (maxConcurrency < 2 || maxConcurrency > 1000)) {
    throw new Error(`maxConcurrency: is ${maxConcurrency}; Lambda takes 2 to 1000 for a queue`);
  }
};
