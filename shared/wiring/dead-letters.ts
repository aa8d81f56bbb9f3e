import { SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { sqsDeadLetterQueue } from '#adapters/aws/sqs-dead-letter-queue.ts';
import {
  type LetterBox,
  type ListedLetters,
  listDeadLetters,
  type RetriedLetters,
  type RetryLettersRequest,
  retryDeadLetters,
} from '#operations/dead-letters.ts';
import type { Deployment } from '#ports/deployments.ts';
import { findDeployment, networkNamed } from './open-deployment.ts';

export interface WhichLetters {
  readonly stack: string;
  /** Absent: every network, and what stands outside them. */
  readonly network?: string;
}

const clock = { nowMs: () => Date.now() };

/** Every queue of dead letters of a deployment that a function feeds. */
export const letterBoxesOf = (deployment: Deployment, network?: string): readonly LetterBox[] => {
  const sqs = new SQSClient(clientOptions);
  const networks =
    network === undefined ? deployment.networks : [networkNamed(deployment, network)];
  const { queueUrl: source, deadLetterQueueUrl: deadLetters } = deployment.forwarding;
  return [
    ...networks.map(({ key, queueUrl, deadLetterQueueUrl }) => ({
      network: network ?? key,
      queue: sqsDeadLetterQueue(sqs, { deadLetters: deadLetterQueueUrl, source: queueUrl }),
    })),
    ...(network === undefined
      ? [{ network: '-', queue: sqsDeadLetterQueue(sqs, { deadLetters, source }) }]
      : []),
  ];
};

export const listLetters = async (which: WhichLetters, limit: number): Promise<ListedLetters> => {
  const deployment = await findDeployment(which.stack);
  return listDeadLetters(letterBoxesOf(deployment, which.network), limit, clock);
};

export const retryLetters = async (
  which: WhichLetters,
  request: RetryLettersRequest,
): Promise<RetriedLetters> => {
  const deployment = await findDeployment(which.stack);
  return retryDeadLetters(letterBoxesOf(deployment, which.network), request, clock);
};
