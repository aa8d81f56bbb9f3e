import type { SQSRecord } from 'aws-lambda';
import type { Look } from '#wiring/scale-up.ts';
import type { QueueMessage } from './read-queue-message.ts';

export interface ReadRecord {
  readonly record: SQSRecord;
  readonly message: QueueMessage;
}

/** A message that asks for a look at one cluster. */
export type LookMessage = Extract<QueueMessage, { readonly kind: 'hint' | 'look' }>;

export interface LookRecord extends ReadRecord {
  readonly message: LookMessage;
}

export const isAboutCluster = (read: ReadRecord): read is LookRecord =>
  read.message.kind === 'hint' || read.message.kind === 'look';

export interface ClusterLook {
  readonly cluster: string;
  readonly look: Look;
}

/** One look per cluster, however many messages name it: for the one among them that asks for most. */
export const groupByCluster = (messages: readonly LookRecord[]): readonly ClusterLook[] => {
  const looks = new Map<string, LookMessage>();
  for (const { message } of messages) {
    const before = looks.get(message.cluster);
    if (before === undefined || rank(message) > rank(before)) looks.set(message.cluster, message);
  }
  return [...looks.values()].map((message) => ({
    cluster: message.cluster,
    look:
      message.kind === 'hint'
        ? { trigger: message.trigger }
        : { trigger: message.because, wakeup: { because: message.because, step: message.step } },
  }));
};

/** A hint has the whole look taken; a sweep may find it quiet; a mark may have been taken care of. */
const rank = (message: LookMessage): number => {
  if (message.kind === 'hint') return 1_000;
  switch (message.because) {
    case 'unfinished':
      // The longest chain of steps goes on, so that it ends.
      return 100 + message.step;
    case 'sweep':
      return 1;
    case 'marked':
      return 0;
  }
};
