import { SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { sqsWakeups } from '#adapters/aws/sqs-wakeups.ts';
import { lookEvent } from '#events/look.ts';
import { lookEventOf } from '#operations/own-events.ts';
import type { OpenWorld, Stage } from '../stage.ts';
import { commandsThrough } from '../testbed/commands-through.ts';
import { crashSettings, startCrashEmulator } from '../testbed/crash-emulator.ts';
import { testbedFaults } from '../testbed/faults.ts';
import { outagesOf } from '../testbed/outages.ts';
import { makeQueue } from '../testbed/queues.ts';
import { sweepStage, sweptClusters, sweptState } from './sweep-stage.ts';

/** Two calls to SQS, and no look that is due later: no case waits for it. */
const count = 20;

/** The sweep with the real wake-ups, into a queue of the emulated account; each case has a queue of its own. */
export const openTestbedSweeps = async (): Promise<OpenWorld> => {
  const emulator = await startCrashEmulator(await crashSettings());
  const sqs = new SQSClient({ ...emulator.clientConfig, ...clientOptions });
  let cases = 0;

  const stage = async (): Promise<Stage> => {
    cases += 1;
    const queue = await makeQueue(sqs, `sweep-${cases}`);
    const swept = {
      wakeups: (through) =>
        through({
          wakeups: sqsWakeups(commandsThrough(through, { sqs }).sqs, queue.url, (wakeup) =>
            JSON.stringify(lookEventOf(wakeup)),
          ),
        }).wakeups,
      looks: async () =>
        (await queue.bodies()).map((body) => lookEvent.parse(JSON.parse(body)).detail),
      close: queue.remove,
    } satisfies Parameters<typeof sweepStage>[0];
    return {
      ...sweepStage(swept, sweptClusters(count)),
      outages: outagesOf([['sqs', 'SendMessageBatch']], emulator.control),
    };
  };

  return {
    arrangements: [
      {
        name: 'network',
        about: 'a look for each cluster of a network, in two calls to its queue',
        settled: sweptState(count),
        stage,
      },
    ],
    faults: testbedFaults,
    close: async () => {
      sqs.destroy();
      await emulator.stop();
    },
  };
};
