import { type Intercept, interceptPorts, type PortCall } from '../helpers/faulty-ports.ts';
import { type Answered, answeredAfter, type Begun, type Called } from './another-call.ts';
import { type FaultKind, subjectOf, type Target, type TracedCall } from './faults.ts';
import type { Ending, Message, Outage, SentMessage, Stage, State, Through } from './stage.ts';

/** Something that the account answers meanwhile: the number of one of the stage's outages. */
export interface Outside {
  readonly outage: number;
}

/** One fault at one call; `callArgs` are those that the undisturbed run gave it. */
export interface Disturbance {
  readonly fault: FaultKind;
  readonly target: Target;
  readonly callArgs: readonly unknown[];
}

export interface Traced extends TracedCall {
  readonly args: readonly unknown[];
}

export interface Played {
  /** Invocations until no message was left, the struck one included. */
  readonly runs: number;
  /** False where messages were still coming back when patience ended. */
  readonly ended: boolean;
  /** The fault's target was called. */
  readonly struck: boolean;
  readonly state: State;
  /** Before any sweep; of an undisturbed run, and where the fault passes. */
  readonly early?: State;
  /** Until no message was left, before any sweep. */
  readonly seconds: number;
  /** Whether somebody else may be called meanwhile. */
  readonly hasAnother: boolean;
  /** What became of somebody else's call. */
  readonly answered?: Answered;
  readonly outages: readonly Pick<Outage, 'call' | 'fault'>[];
  readonly trace: Readonly<Record<FaultKind['strikes'], readonly Traced[]>>;
  /** Calls that had reached their port when the last struck invocation was over. */
  readonly meanwhile: readonly PortCall[];
}

/** Beyond it an operation does not come to an end by itself. */
export const mostRuns = 8;
/** Longer than a lease, as the visibility timeout of a function's queue is longer than the function may run. */
const visibilitySeconds = 70;
const returnSeconds = 5;
/** Less than the lag of AWS's descriptions that operations reckon with: an older answer would be no answer of AWS. */
const sweepSeconds = 45;
/** After the one that may be struck: a mark without a wake-up is found by the first after the lease, and settled by the next. */
const quietSweeps = 2;

/** Calls that answer something and yet change what they ask about. */
const actsAndAnswers: ReadonlySet<string> = new Set([
  'leases.acquire',
  'leases.mark',
  'leases.release',
  'mainLetters.retry',
  'sideLetters.retry',
]);

/**
 * Plays the operation on a fresh stage: its message until it is acknowledged and all messages that it caused
 * are, then a few sweeps. The fault strikes the first invocation of its run.
 */
export const play = async (stage: Stage, given?: Disturbance | Outside): Promise<Played> => {
  const outage =
    given !== undefined && 'outage' in given ? stage.outages?.[given.outage] : undefined;
  const disturbance = given !== undefined && 'fault' in given ? given : undefined;
  const effects: PortCall[] = [];
  const trace: Record<FaultKind['strikes'], Traced[]> = { first: [], sweep: [] };
  let struck = false;
  let meanwhile: readonly PortCall[] = [];
  let died = false;
  let outbox: SentMessage[] = [];
  const begun: Begun[] = [];
  let called: Called | undefined;

  const reached: (record?: Traced[]) => Intercept = (record) => async (call, effect) => {
    begun.push({ name: call.name, atMs: stage.nowMs() });
    const answer = await effect();
    effects.push(call);
    outbox.push(...stage.messagesIn(call));
    const reads = answer !== undefined && !actsAndAnswers.has(call.name);
    record?.push({ ...call, subject: subjectOf(call.args), reads });
    return answer;
  };
  const throughTo =
    (inner: Intercept, outer?: Intercept): Through =>
    (ports) => {
      const seen = interceptPorts(ports, inner);
      return outer === undefined ? seen : interceptPorts(seen, outer);
    };

  const old =
    disturbance?.fault.gives === 'old answers'
      ? await answerOf(stage.ports, disturbance)
      : undefined;
  const context = {
    die: () => {
      died = true;
    },
    oldAnswer: async () => structuredClone(old),
    meanwhile: async () => {
      await stage.elapse(visibilitySeconds);
      await stage.sweep.deliver(throughTo(reached()));
    },
    callAnother: async () => {
      const { another } = stage;
      if (another === undefined) throw new Error('nobody else is called in this arrangement');
      const own: Traced[] = [];
      const sentBefore = outbox.length;
      const ending = await endingOf(another.message, throughTo(reached(own)));
      if (ending === 'again')
        outbox.push({ message: another.message, afterSeconds: returnSeconds });
      const done = new Set(own.map(({ name }) => name));
      called = {
        atMs: stage.nowMs(),
        // Whoever found nobody at work has done it.
        open: another.answer.filter((name) => !done.has(name)),
        from: begun.length,
        promised: outbox.length > sentBefore,
      };
    },
  };
  const strikeOf = ({ fault, target }: Disturbance): Intercept => {
    const strike = fault.strike(target, context);
    return (call, effect) => {
      struck ||= call.name === target.name && call.nth === target.nth;
      return strike(call, effect);
    };
  };

  /** Delivers one message and what follows from it; gives the invocations it took. */
  const drain = async (
    first: Message,
    phase: FaultKind['strikes'] | 'last',
  ): Promise<{ readonly runs: number; readonly ended: boolean }> => {
    const isStruck = disturbance?.fault.strikes === phase;
    let queue = [{ dueMs: stage.nowMs(), message: first }];
    for (let runs = 1; ; runs += 1) {
      queue = queue.toSorted((a, b) => a.dueMs - b.dueMs);
      const next = queue.shift();
      if (next === undefined) return { runs: runs - 1, ended: true };
      if (runs > mostRuns) return { runs: mostRuns, ended: false };
      await stage.elapse(Math.max(0, next.dueMs - stage.nowMs()) / 1000);
      const faulty = isStruck && runs <= disturbance.fault.invocations;
      const record = runs === 1 && phase !== 'last' ? trace[phase] : undefined;
      died = false;
      outbox = [];
      const isOut = phase === 'first' && runs === 1;
      if (isOut) await outage?.begin();
      const ending = await endingOf(
        next.message,
        throughTo(reached(record), faulty ? strikeOf(disturbance) : undefined),
      );
      if (isOut && outage !== undefined) struck = await outage.end();
      if (faulty) meanwhile = [...effects];
      const sentMs = stage.nowMs();
      queue.push(
        ...outbox.map(({ message, afterSeconds }) => ({
          dueMs: sentMs + afterSeconds * 1000,
          message,
        })),
      );
      const back = disturbance?.fault.backAfterSeconds ?? visibilitySeconds;
      if (died) queue.push({ dueMs: sentMs + back * 1000, message: next.message });
      else if (ending === 'again') {
        queue.push({ dueMs: sentMs + returnSeconds * 1000, message: next.message });
      }
    }
  };

  const answeredSoFar = () => (called === undefined ? undefined : answeredAfter(called, begun));
  const startMs = stage.nowMs();
  const firstRuns = await drain(stage.first, 'first');
  const seconds = (stage.nowMs() - startMs) / 1000;
  const answered = answeredSoFar();
  const passes = given === undefined || disturbance?.fault.passes === true;
  const early = passes ? await stage.state(effects) : undefined;
  await stage.elapse(sweepSeconds);
  const sweepRuns = await drain(stage.sweep, 'sweep');
  const lastRuns = [];
  for (let sweep = 0; sweep < quietSweeps; sweep += 1) {
    await stage.elapse(sweepSeconds);
    lastRuns.push(await drain(stage.sweep, 'last'));
  }
  const counted = disturbance?.fault.strikes === 'sweep' ? sweepRuns : firstRuns;
  return {
    runs: counted.runs,
    ended: [firstRuns, sweepRuns, ...lastRuns].every(({ ended }) => ended),
    struck,
    outages: (stage.outages ?? []).map(({ call, fault }) => ({ call, fault })),
    state: await stage.state(effects),
    ...(early === undefined ? {} : { early }),
    seconds,
    hasAnother: stage.another !== undefined,
    ...(called === undefined
      ? {}
      : {
          answered: {
            seconds: answered,
            ever: answeredSoFar() !== undefined,
            promised: called.promised,
          },
        }),
    trace,
    meanwhile,
  };
};

/** An invocation that throws gives everything back, as the functions' middleware does. */
const endingOf = async (message: Message, through: Through): Promise<Ending> => {
  try {
    return await message.deliver(through);
  } catch {
    return 'again';
  }
};

const answerOf = async (ports: object, { target, callArgs }: Disturbance): Promise<unknown> => {
  const [portName = '', methodName = ''] = target.name.split('.');
  const port = Reflect.get(ports, portName) as object;
  const method = Reflect.get(port, methodName) as (...args: readonly unknown[]) => unknown;
  return structuredClone(await Reflect.apply(method, port, callArgs));
};
