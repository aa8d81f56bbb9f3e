import { PortError } from '#ports/port-error.ts';
import type { Arrangement, Ending, Message, Stage } from '../../crash/stage.ts';

/** A group that is to have three machines, what was noted about it, and whom one tells. */
interface ToyPorts {
  readonly account: {
    size(): Promise<number>;
    set(size: number): Promise<void>;
    add(machines: number): Promise<void>;
  };
  readonly notes: {
    intent(): Promise<number | undefined>;
    write(intent: number | undefined): Promise<void>;
  };
  readonly people: { tell(): Promise<void> };
}

/** What is wrong with the operation. */
export type Bug =
  | 'none'
  | 'relative raise'
  | 'act before intent'
  | 'intent left open'
  | 'swallowed failure';

const wanted = 3;

/** Raises the group and tells of it, if that has not been done. */
const raise = async ({ account, notes, people }: ToyPorts, bug: Bug): Promise<Ending> => {
  const open = await notes.intent();
  const size = await account.size();
  if (open === undefined && size >= wanted) return 'done';
  const planned = bug === 'relative raise' ? (open ?? wanted - size) : wanted;
  if (bug !== 'act before intent') await notes.write(planned);
  if (bug === 'relative raise') await account.add(planned);
  else await account.set(planned);
  if (bug === 'act before intent') await notes.write(planned);
  await people.tell();
  if (bug !== 'intent left open') await notes.write(undefined);
  return 'done';
};

const endingOf = async (work: () => Promise<Ending>, bug: Bug): Promise<Ending> => {
  try {
    return await work();
  } catch (thrown) {
    if (bug === 'swallowed failure') return 'done';
    return thrown instanceof PortError && !thrown.retryable ? 'refused' : 'again';
  }
};

const stageOf = (bug: Bug): Stage => {
  let nowMs = 0;
  let size = 0;
  let intent: number | undefined;
  let told = 0;
  const ports: ToyPorts = {
    account: {
      size: async () => size,
      set: async (to) => {
        size = to;
      },
      add: async (machines) => {
        size += machines;
      },
    },
    notes: {
      intent: async () => intent,
      write: async (written) => {
        intent = written;
      },
    },
    people: {
      tell: async () => {
        told += 1;
      },
    },
  };
  let refused = false;
  const message: Message = {
    what: 'raise',
    deliver: async (through) => {
      const ending = await endingOf(() => raise(through(ports), bug), bug);
      refused = ending === 'refused';
      return ending;
    },
  };
  return {
    ports,
    nowMs: () => nowMs,
    elapse: async (seconds) => {
      nowMs += seconds * 1000;
    },
    first: message,
    // Only what went to the dead letters is tried once more: what a message leaves undone stays so.
    sweep: {
      what: 'dead letters retried',
      deliver: async (through) => (refused ? message.deliver(through) : 'done'),
    },
    messagesIn: () => [],
    state: async () => ({ size, open: intent !== undefined, told: told > 0 }),
    close: async () => {},
  };
};

export const toyOperation = (bug: Bug): Arrangement => ({
  name: bug,
  about: `a toy with the fault: ${bug}`,
  stage: async () => stageOf(bug),
});
