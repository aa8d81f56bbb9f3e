import type { ScaleUpService } from '#wiring/scale-up.ts';
import { describeError } from '../lib/errors.ts';
import { type Fate, receiveCount, returnDelaySeconds } from '../lib/partial-batch.ts';
import type { Invocation } from '../lib/queue-function.ts';
import type { ReadRecord } from './group-by-cluster.ts';
import type { Finding } from './look-at.ts';

export interface SettledRecord extends ReadRecord {
  /** The clusters that a sweep stands for; `undefined` where they are not known now. */
  readonly clusters: readonly string[] | undefined;
  readonly findings: ReadonlyMap<string, Finding>;
}

/**
 * As often a sweep comes back for a cluster that fails for now. By then a minute has passed, and the next
 * sweep is on its way: this one would only end among the dead letters, one a minute for as long as it lasts.
 */
const mostSweepReceives = 8;

type Service = Pick<ScaleUpService, 'deadLetters' | 'returnLater'>;

/**
 * Decides one message's fate by what was found of its clusters and carries it out: recorded among the dead
 * letters, or made visible again in a few seconds. A sweep is no dead letter for what one of its clusters
 * refuses: that would be one a minute. The log and the cluster's alarm tell of it, and the next sweep tries
 * again. Never throws; what cannot be carried out goes back.
 */
export const settleMessage = async (
  { record, message, clusters, findings }: SettledRecord,
  service: Service,
  invocation: Invocation,
): Promise<Fate> => {
  const log = invocation.log.with({ messageId: record.messageId });
  const attempt = async (what: string, act: () => Promise<void>): Promise<boolean> => {
    try {
      await act();
      return true;
    } catch (thrown) {
      log.error(what, { error: describeError(thrown) });
      return false;
    }
  };
  const bury = async (code: string, text: string): Promise<Fate> => {
    log.warn('dead letter', { code, reason: text });
    const recorded = await attempt('the dead letter could not be recorded', () =>
      service.deadLetters.record({ body: record.body, code, message: text }),
    );
    return recorded ? 'ack' : 'return';
  };
  const giveBack = async (): Promise<Fate> => {
    const seconds = returnDelaySeconds(record, Math.random());
    await attempt('the message returns only after its visibility timeout', () =>
      service.returnLater(record.receiptHandle, seconds),
    );
    return 'return';
  };

  if (message.kind === 'malformed') return bury(message.code, message.message);
  const found = (cluster: string): Finding => findings.get(cluster) ?? { status: 'retry' };
  if (message.kind === 'pod-pending') {
    const finding = found(message.cluster);
    switch (finding.status) {
      case 'done':
        return 'ack';
      case 'held':
      case 'retry':
        return giveBack();
      case 'permanent':
        return bury(finding.code, finding.message);
    }
  }
  // Without its clusters it has looked at none: that it ends among the dead letters is right.
  if (clusters === undefined) return giveBack();
  // One that meets a held lease is done: somebody looks right now.
  const again = clusters.filter((cluster) => found(cluster).status === 'retry');
  if (again.length === 0) return 'ack';
  if (receiveCount(record) < mostSweepReceives) return giveBack();
  log.error('the sweep leaves clusters to the next one', { clusters: again });
  return 'ack';
};
