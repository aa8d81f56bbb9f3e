import { randomUUID } from 'node:crypto';
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EC2Client } from '@aws-sdk/client-ec2';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import { clientOptions, singleAttempt } from '#adapters/aws/client-options.ts';
import { dynamodbCapacityLedger } from '#adapters/aws/dynamodb-capacity-ledger.ts';
import { dynamodbClusterLeases } from '#adapters/aws/dynamodb-cluster-leases.ts';
import { dynamodbJournal } from '#adapters/aws/dynamodb-journal.ts';
import { instanceTypeCatalogue } from '#adapters/aws/ec2-instance-types.ts';
import { emfMetrics } from '#adapters/aws/emf-metrics.ts';
import { readApiAccessSecret } from '#adapters/aws/secrets-manager-api-access.ts';
import { sqsDeadLetters } from '#adapters/aws/sqs-dead-letters.ts';
import { sqsReturnLater } from '#adapters/aws/sqs-returned-messages.ts';
import type { ApiAccess } from '#adapters/kubernetes/api-access.ts';
import { type ApiClient, createApiClient } from '#adapters/kubernetes/api-client.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import type { Environment } from '#config/environment.ts';
import { countLookFailed } from '#operations/look-metrics.ts';
import { type ScaleUpOutcome, scaleUp } from '#operations/scale-up.ts';
import type { DeadLetters } from '#ports/dead-letters.ts';
import { deployedClusters } from './deployed-clusters.ts';

/** `unknownCluster`: the configuration names no such cluster in this network. */
export type LookOutcome =
  | ScaleUpOutcome
  | { readonly cluster: string; readonly status: 'unknownCluster' };

/** All that the function `scale-up` needs of the world. */
export interface ScaleUpService {
  /** Names of the clusters of this function's network. */
  clusters(): Promise<readonly string[]>;
  /** One look at one cluster; `trigger` says why it is taken. */
  scaleUp(cluster: string, trigger: string): Promise<LookOutcome>;
  /** Counts a look that came to no end of its own (a secret is missing, time ran out) for the cluster's alarm. */
  lookFailed(cluster: string): void;
  readonly deadLetters: DeadLetters;
  /** Makes a message that this invocation has not finished visible again after so many seconds. */
  returnLater(receiptHandle: string, seconds: number): Promise<void>;
}

/**
 * Builds the adapters of a deployed function once for the life of its process: connections and the
 * catalogue of instance types are kept, secrets are read at each look.
 */
export const buildScaleUp = (environment: Environment): ScaleUpService => {
  const dynamodb = new DynamoDBClient(clientOptions);
  const s3 = new S3Client(clientOptions);
  const sqs = new SQSClient(clientOptions);
  const autoScaling = new AutoScalingClient(clientOptions);
  const raising = new AutoScalingClient(singleAttempt);
  const ec2 = new EC2Client(clientOptions);
  const secrets = new SecretsManagerClient(clientOptions);
  const { table, decisionsBucket: bucket } = environment;
  const instanceTypes = instanceTypeCatalogue(ec2);
  const clock = { nowMs: () => Date.now() };
  const clusters = deployedClusters(s3, environment);
  const shared = {
    clock,
    leases: dynamodbClusterLeases(dynamodb, table),
    ledger: dynamodbCapacityLedger(dynamodb, table),
    journal: dynamodbJournal({ dynamodb, table, s3, bucket }),
    metrics: emfMetrics(clock.nowMs),
  };
  const apiClients = keptApiClients();

  return {
    async clusters() {
      return (await clusters()).map(({ name }) => name);
    },

    async scaleUp(cluster, trigger) {
      const configuration = (await clusters()).find(({ name }) => name === cluster);
      if (configuration === undefined) {
        return { cluster, status: 'unknownCluster' };
      }
      const { apiSecret, discoveryTags, policy } = configuration;
      const access = await readApiAccessSecret(secrets, apiSecret);
      const ports = {
        ...shared,
        clusterApi: kubernetesClusterApi(apiClients(cluster, access)),
        nodeGroups: autoScalingNodeGroups({
          autoScaling,
          raising,
          ec2,
          discoveryTags,
          instanceTypes,
        }),
      };
      const { engineVersion } = environment;
      return scaleUp(ports, { cluster, policy, trigger, owner: randomUUID(), engineVersion });
    },

    lookFailed: (cluster) => countLookFailed(shared.metrics, cluster, true),

    deadLetters: sqsDeadLetters(sqs, environment.deadLetterQueueUrl),

    returnLater: sqsReturnLater(sqs, environment.queueUrl),
  };
};

/** One client (with its kept connections) per cluster, made anew when the secret changes. */
const keptApiClients = (): ((cluster: string, access: ApiAccess) => ApiClient) => {
  const kept = new Map<string, { readonly secret: string; readonly client: ApiClient }>();
  return (cluster, access) => {
    const secret = JSON.stringify(access);
    const before = kept.get(cluster);
    if (before?.secret === secret) return before.client;
    before?.client.close();
    const client = createApiClient(access);
    kept.set(cluster, { secret, client });
    return client;
  };
};
