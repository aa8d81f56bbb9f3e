import {
  ChangeMessageVisibilityCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { sqsDeadLetterQueue } from '#adapters/aws/sqs-dead-letter-queue.ts';
import { sqsDeadLetters } from '#adapters/aws/sqs-dead-letters.ts';
import type { OpenWorld, Stage } from '../stage.ts';
import { commandsThrough } from '../testbed/commands-through.ts';
import { crashSettings, startCrashEmulator } from '../testbed/crash-emulator.ts';
import { testbedFaults } from '../testbed/faults.ts';
import { outagesOf } from '../testbed/outages.ts';
import { makeQueue } from '../testbed/queues.ts';
import {
  type LettersSetting,
  type LettersWorld,
  letterArrangements,
  lettersStage,
} from './letters-stage.ts';

/** Calls that the account answers badly. */
const calls = [
  ['sqs', 'ReceiveMessage'],
  ['sqs', 'SendMessage'],
  ['sqs', 'DeleteMessage'],
] as const;

interface Taken {
  readonly url: string;
  readonly receipt: string;
  readonly untilMs: number;
}

/** The client, and a clock that a case moves on: what was received is visible again when its time is over. */
const withVirtualTimeouts = (sqs: SQSClient) => {
  let nowMs = 0;
  let taken: readonly Taken[] = [];
  const send = async (command: object, ...more: readonly unknown[]): Promise<unknown> => {
    const answer: unknown = await Reflect.apply(sqs.send, sqs, [command, ...more]);
    if (command instanceof ReceiveMessageCommand) {
      const { QueueUrl: url = '', VisibilityTimeout: seconds = 0 } = command.input;
      const { Messages = [] } = answer as { Messages?: readonly { ReceiptHandle?: string }[] };
      const untilMs = nowMs + seconds * 1000;
      taken = taken.concat(
        Messages.map(({ ReceiptHandle: receipt = '' }) => ({ url, receipt, untilMs })),
      );
    }
    return answer;
  };
  return {
    sqs: new Proxy(sqs, {
      get: (target, key) => (key === 'send' ? send : Reflect.get(target, key)),
    }),
    elapse: async (seconds: number): Promise<void> => {
      nowMs += seconds * 1000;
      const due = taken.filter(({ untilMs }) => untilMs <= nowMs);
      taken = taken.filter(({ untilMs }) => untilMs > nowMs);
      for (const { url: QueueUrl, receipt: ReceiptHandle } of due) {
        const command = { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 };
        // It may have been deleted since.
        await sqs.send(new ChangeMessageVisibilityCommand(command)).catch(() => {});
      }
    },
  };
};

/** Dead letters in queues of the emulated account, with every call of the SDK a port call: `mainSqs.DeleteMessage`. */
export const openTestbedLetters = async (): Promise<OpenWorld> => {
  const emulator = await startCrashEmulator(await crashSettings());
  const sqs = new SQSClient({ ...emulator.clientConfig, ...clientOptions });
  let cases = 0;

  const lettersIn = async (network: string, bodies: readonly string[]): Promise<LettersWorld> => {
    const [source, deadLetters] = await Promise.all([
      makeQueue(sqs, `case-${cases}-${network}`),
      makeQueue(sqs, `case-${cases}-${network}-dead`),
    ]);
    const filing = sqsDeadLetters(sqs, deadLetters.url);
    for (const body of bodies) await filing.record({ body, code: 'schema', message: 'wrong' });
    const { sqs: client, elapse } = withVirtualTimeouts(sqs);
    const urls = { deadLetters: deadLetters.url, source: source.url };
    const name = `${network}Sqs`;
    return {
      network,
      queue: (through) =>
        sqsDeadLetterQueue(commandsThrough(through, { [name]: client })[name] ?? client, urls),
      dead: deadLetters.visible,
      back: source.bodies,
      elapse,
      close: async () => {
        await Promise.all([source.remove(), deadLetters.remove()]);
      },
    };
  };

  const stageFor = async ({ letters, chosen }: LettersSetting): Promise<Stage> => {
    cases += 1;
    const worlds = Object.entries(letters).map(([network, bodies]) => lettersIn(network, bodies));
    const stage = await lettersStage(await Promise.all(worlds), chosen);
    return { ...stage, outages: outagesOf(chosen === undefined ? [] : calls, emulator.control) };
  };

  return {
    arrangements: letterArrangements(stageFor),
    faults: [...testbedFaults, 'killed, back early'],
    close: async () => {
      sqs.destroy();
      await emulator.stop();
    },
  };
};
