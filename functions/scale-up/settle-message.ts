import { type Finding, fateOf, unknownCluster } from '#operations/asked-looks.ts';
import type { ScaleUpService } from '#wiring/scale-up.ts';
import { describeError } from '../lib/errors.ts';
import { type Fate, returnDelaySeconds } from '../lib/partial-batch.ts';
import type { Invocation } from '../lib/queue-function.ts';
import type { ReadRecord } from './read-queue-message.ts';

export interface SettledRecord extends ReadRecord {
  readonly findings: ReadonlyMap<string, Finding>;
}

type Service = Pick<ScaleUpService, 'deadLetters' | 'returnLater' | 'sweep' | 'heartbeat'>;

/**
 * Decides one message's fate by what was found of its cluster and carries it out: recorded among the dead
 * letters, or made visible again in a few seconds. Never throws; what cannot be carried out goes back.
 */
export const settleMessage = async (
  { record, message, findings }: SettledRecord,
  service: Service,
  invocation: Invocation,
): Promise<Fate> => {
  const log = invocation.log.with({ messageId: record.messageId });
  const attempt = async <T>(what: string, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (thrown) {
      log.error(what, { error: describeError(thrown) });
      return undefined;
    }
  };
  const bury = async ({ code, message: text }: { code: string; message: string }) => {
    log.warn('dead letter', { code, reason: text });
    const recorded = await attempt('the dead letter could not be recorded', async () => {
      await service.deadLetters.record({ body: record.body, code, message: text });
      return true;
    });
    return recorded === true ? 'ack' : 'return';
  };
  const giveBack = async (): Promise<Fate> => {
    const seconds = returnDelaySeconds(record, Math.random());
    await attempt('the message returns only after its visibility timeout', () =>
      service.returnLater(record.receiptHandle, seconds),
    );
    return 'return';
  };

  switch (message.kind) {
    case 'malformed':
      return bury(message);
    case 'ignored':
      log.info('ignored', { reason: message.reason });
      return 'ack';
    case 'heartbeat': {
      const { cluster } = message;
      const known = await attempt('the heartbeat is not counted', () => service.heartbeat(cluster));
      if (known === undefined) return giveBack();
      return known ? 'ack' : bury(unknownCluster(cluster));
    }
    case 'sweep': {
      const looks = await attempt('the sweep could not be sent out', () => service.sweep());
      if (looks === undefined) return giveBack();
      log.info('sweep sent out', { clusters: looks });
      return 'ack';
    }
    case 'hint':
    case 'look': {
      const finding = findings.get(message.cluster) ?? { status: 'notBegun' };
      const fate = fateOf(message, finding);
      if (fate === 'done') return 'ack';
      return fate === 'again' ? giveBack() : bury(fate);
    }
  }
};
