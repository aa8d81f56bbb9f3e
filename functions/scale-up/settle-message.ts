import type { ScaleUpService } from '#wiring/scale-up.ts';
import { describeError } from '../lib/errors.ts';
import { type Fate, returnDelaySeconds } from '../lib/partial-batch.ts';
import type { Invocation } from '../lib/queue-function.ts';
import type { ReadRecord } from './group-by-cluster.ts';
import type { Finding } from './look-at.ts';

export interface SettledRecord extends ReadRecord {
  /** The clusters that a sweep stands for; `undefined` where they are not known now. */
  readonly clusters: readonly string[] | undefined;
  readonly findings: ReadonlyMap<string, Finding>;
}

type Service = Pick<ScaleUpService, 'deadLetters' | 'returnLater'>;

/**
 * Decides one message's fate by what was found of its clusters and carries it out: recorded among the dead
 * letters, or made visible again in a few seconds. Never throws; what cannot be carried out goes back.
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
  const own = message.kind === 'sweep' ? clusters : [message.cluster];
  if (own === undefined) return giveBack();
  const found = own.map((cluster): Finding => findings.get(cluster) ?? { status: 'retry' });
  if (found.some(({ status }) => status === 'retry')) return giveBack();
  // A sweep that meets a held lease is done: somebody looks right now, and the next sweep is on its way.
  if (message.kind !== 'sweep' && found.some(({ status }) => status === 'held')) return giveBack();
  const permanent = found.filter((finding) => finding.status === 'permanent');
  const [first] = permanent;
  if (first === undefined) return 'ack';
  return bury(first.code, permanent.map(({ message: text }) => text).join('; '));
};
