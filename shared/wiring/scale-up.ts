import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { callCounter } from '#adapters/aws/call-counter.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { emfMetrics } from '#adapters/aws/emf-metrics.ts';
import { snsPages } from '#adapters/aws/sns-pages.ts';
import { sqsDeadLetters } from '#adapters/aws/sqs-dead-letters.ts';
import { sqsReturnLater } from '#adapters/aws/sqs-returned-messages.ts';
import { sqsWakeups } from '#adapters/aws/sqs-wakeups.ts';
import type { Environment } from '#config/environment.ts';
import { countApiCalls, countHeartbeat, countLookFailed } from '#operations/look-metrics.ts';
import { lookEventOf } from '#operations/own-events.ts';
import { type ScaleUpOutcome, type ScaleUpRequest, scaleUp } from '#operations/scale-up.ts';
import { sweep } from '#operations/sweep.ts';
import type { DeadLetters } from '#ports/dead-letters.ts';
import type { Metrics } from '#ports/metrics.ts';
import { clusterConnections } from './cluster-connections.ts';
import { deployedClusters } from './deployed-clusters.ts';
import { openMemory } from './memory.ts';

/** `unknownCluster`: the configuration names no such cluster in this network. */
export type LookOutcome =
  | ScaleUpOutcome
  | { readonly cluster: string; readonly status: 'unknownCluster' };

/** All that the function `scale-up` needs of the world. */
export interface ScaleUpService {
  /** One look at one cluster. */
  scaleUp(
    cluster: string,
    look: Pick<ScaleUpRequest, 'trigger' | 'wakeup' | 'untilMs'>,
  ): Promise<LookOutcome>;
  /** Has every cluster of this network looked at; how many there are. */
  sweep(): Promise<number>;
  /** Counts a relay's sign of life; false where this network has no such cluster. */
  heartbeat(cluster: string): Promise<boolean>;
  /** Counts a look that came to no end of its own (a secret is missing, time ran out) for the cluster's alarm. */
  lookFailed(cluster: string): void;
  readonly deadLetters: DeadLetters;
  /** Makes a message that this invocation has not finished visible again after so many seconds. */
  returnLater(receiptHandle: string, seconds: number): Promise<void>;
}

const wallClock = { nowMs: () => Date.now() };

/**
 * Builds the adapters of a deployed function once for the life of its process. A command gives `metrics` of
 * its own: the functions' go to standard output.
 */
export const buildScaleUp = (
  environment: Environment,
  metrics: Metrics = emfMetrics(wallClock.nowMs),
): ScaleUpService => {
  const { network, engineVersion } = environment;
  const calls = callCounter();
  const dynamodb = calls.watch(new DynamoDBClient(clientOptions));
  const s3 = calls.watch(new S3Client(clientOptions));
  const sqs = calls.watch(new SQSClient(clientOptions));
  const secrets = calls.watch(new SecretsManagerClient(clientOptions));
  const clock = wallClock;
  const shared = {
    clock,
    ...openMemory(environment, { dynamodb, s3 }),
    metrics,
    wakeups: sqsWakeups(sqs, environment.queueUrl, (wakeup) => JSON.stringify(lookEventOf(wakeup))),
    pages: snsPages(calls.watch(new SNSClient(clientOptions)), environment.pagesTopicArn),
  };
  const all = deployedClusters(s3, environment);
  const clusters = async () => (await all()).filter((cluster) => cluster.network === network);
  const connect = clusterConnections({ secrets, all, calls });

  return {
    async scaleUp(cluster, look) {
      const configuration = (await clusters()).find(({ name }) => name === cluster);
      if (configuration === undefined) return { cluster, status: 'unknownCluster' };
      const ports = { ...shared, ...(await connect(configuration)) };
      const outcome = await scaleUp(ports, {
        cluster,
        policy: configuration.policy,
        ...look,
        owner: randomUUID(),
        engineVersion,
      });
      countApiCalls(shared.metrics, calls.take());
      return outcome;
    },

    async sweep() {
      const names = (await clusters()).map(({ name }) => name);
      await sweep(shared.wakeups, names);
      return names.length;
    },

    async heartbeat(cluster) {
      if (!(await clusters()).some(({ name }) => name === cluster)) return false;
      countHeartbeat(shared.metrics, cluster);
      return true;
    },

    lookFailed: (cluster) => countLookFailed(shared.metrics, cluster, true),

    deadLetters: sqsDeadLetters(sqs, environment.deadLetterQueueUrl),

    returnLater: sqsReturnLater(sqs, environment.queueUrl),
  };
};
