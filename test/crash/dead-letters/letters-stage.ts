import {
  type LetterBox,
  type RetriedLetters,
  type RetryLettersRequest,
  retryDeadLetters,
} from '#operations/dead-letters.ts';
import type { DeadLetterQueue } from '#ports/dead-letter-queue.ts';
import { PortError } from '#ports/port-error.ts';
import type { Arrangement, Ending, Message, Stage, State, Through } from '../stage.ts';
import { told } from '../told.ts';

/** A queue with its dead letters. */
export interface LettersWorld {
  readonly network: string;
  /** For one invocation. */
  queue(through: Through): DeadLetterQueue;
  /** Bodies that are dead letters, those included that somebody has taken. */
  dead(): Promise<readonly string[]>;
  /** Bodies that came back to the queue, each as often as it came. */
  back(): Promise<readonly string[]>;
  elapse(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** What stood in the queues, and what the command is to do with it. */
export interface LettersSetting {
  /** By network: the bodies of its dead letters. */
  readonly letters: Readonly<Record<string, readonly string[]>>;
  /** Bodies of the letters that are asked for by id; absent: all. */
  readonly chosen?: readonly string[];
}

/** More than there are, so that it never ends a command early. */
const limit = 1_000;

/** The command, given again where it failed, and once more each time that it might have left something. */
export const lettersStage = async (
  worlds: readonly LettersWorld[],
  chosen: LettersSetting['chosen'],
): Promise<Stage> => {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs };
  const lists = worlds.map(({ queue }) => queue((untouched) => untouched).list(limit));
  const filed = (await Promise.all(lists)).flat();
  const ids = filed.filter(({ body }) => chosen?.includes(body)).map(({ id }) => id);
  const request: RetryLettersRequest = { limit, ...(chosen === undefined ? {} : { ids }) };
  const boxesFor = (through: Through): readonly LetterBox[] => {
    const queues = Object.fromEntries(
      worlds.map(({ network, queue }) => [`${network}Letters`, queue(through)]),
    );
    return Object.entries(through(queues)).map(([name, queue]) => ({ network: name, queue }));
  };
  const command: Message = {
    what: 'deadletters retry',
    deliver: (through) => endingOf(async () => retryDeadLetters(boxesFor(through), request, clock)),
  };
  const ports: Record<string, object> = {};
  boxesFor((seen) => {
    Object.assign(ports, seen);
    return seen;
  });
  return {
    ports,
    nowMs: () => nowMs,
    elapse: async (seconds) => {
      nowMs += seconds * 1000;
      await Promise.all(worlds.map(({ elapse }) => elapse(seconds)));
    },
    first: command,
    sweep: command,
    messagesIn: () => [],
    state: async () => {
      const all = async (of: (world: LettersWorld) => Promise<readonly string[]>) =>
        (await Promise.all(worlds.map(of))).flat();
      const [dead, back] = [await all((world) => world.dead()), await all((world) => world.back())];
      const { once, doubled } = told(back);
      const found = new Set([...dead, ...back]);
      return {
        dead: [...dead].toSorted(),
        back: once,
        doubled,
        lost: filed.map(({ body }) => body).filter((body) => !found.has(body)),
      };
    },
    close: async () => {
      await Promise.all(worlds.map(({ close }) => close()));
    },
  };
};

/** As a person reads the exit code; rights that are missing are given before the next try. */
const endingOf = async (retry: () => Promise<RetriedLetters>): Promise<Ending> => {
  try {
    const { failed, inFlight, more } = await retry();
    if (failed.some(({ code }) => code === 'forbidden')) return 'refused';
    return failed.length > 0 || inFlight.length > 0 || more ? 'again' : 'done';
  } catch (thrown) {
    return thrown instanceof PortError && !thrown.retryable ? 'refused' : 'again';
  }
};

const endsWith = (dead: readonly string[], back: readonly string[]): State => ({
  dead,
  back,
  doubled: 0,
  lost: [],
});

export const letterArrangements = (
  stageFor: (setting: LettersSetting) => Promise<Stage>,
): readonly Arrangement[] => [
  {
    name: 'all',
    about: 'every dead letter of two networks is sent back',
    settled: endsWith([], ['hint a', 'hint b', 'look c', 'sweep d']),
    stage: () => stageFor({ letters: { main: ['hint a', 'hint b', 'look c'], side: ['sweep d'] } }),
  },
  {
    name: 'chosen',
    about: 'one of three letters is asked for, the others stay',
    settled: endsWith(['hint a', 'look c'], ['hint b']),
    stage: () =>
      stageFor({ letters: { main: ['hint a', 'hint b', 'look c'] }, chosen: ['hint b'] }),
  },
];
