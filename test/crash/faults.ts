import { PortError, type PortErrorCode } from '#ports/port-error.ts';
import type { Intercept, PortCall } from '../helpers/faulty-ports.ts';

/** The call that a fault strikes. */
export type Target = Pick<PortCall, 'name' | 'nth'> & { readonly subject: string };

/** A call as the undisturbed run made it. */
export interface TracedCall extends Target {
  /** Answered something and changes nothing, so that the answer may be an old one. */
  readonly reads: boolean;
}

/** What a fault may use of the case it is played in. */
export interface FaultContext {
  /** From here on the invocation is dead: none of its calls takes place, and nobody hears its outcome. */
  die(): void;
  /** What the target answered before anything of this case was written. */
  readonly oldAnswer: () => Promise<unknown>;
  /** The clock jumps past the lease, and somebody else takes a whole look. */
  meanwhile(): Promise<void>;
  /** Somebody else is called for the same just now, and finds the operation at work. */
  callAnother(): Promise<void>;
}

export interface FaultKind {
  readonly name: string;
  /** The run that it strikes: that of the message, or of the sweep a minute later. */
  readonly strikes: 'first' | 'sweep';
  /** In so many invocations one after another; only lasting ones strike more than one. */
  readonly invocations: number;
  /** When the message is visible again after this fault; default: some seconds, after a death a minute. */
  readonly backAfterSeconds?: number;
  /** Set where the call answers as it would have before anything of the case was written: for reads only. */
  readonly gives?: 'old answers';
  /**
   * Set where somebody else's call falls into the operation's work: when it must be answered. `soon`: as
   * fast as the undisturbed message is; `atLast`: as it was promised, by a message that it sent or by the sweep.
   */
  readonly another?: 'soon' | 'atLast';
  /** The message comes back soon, and needs no sweep to do what it would have done undisturbed. */
  readonly passes?: true;
  /** For one invocation. */
  strike(target: Target, context: FaultContext): Intercept;
}

/** Thrown to what is left of an invocation that has died. */
class ProcessDied extends Error {
  constructor() {
    super('the process has died');
    this.name = 'ProcessDied';
  }
}

/** Which of several alike a call is about: a group, a pod, a cluster. */
export const subjectOf = (args: readonly unknown[]): string =>
  (args
    .map((arg) => {
      if (typeof arg === 'string') return arg;
      if (typeof arg !== 'object' || arg === null) return '';
      const { group, pod, id } = arg as Record<string, unknown>;
      return [group, pod, id].find((name) => typeof name === 'string') ?? '';
    })
    .find((name) => name !== '') as string | undefined) ?? '';

const isTarget = (target: Target, call: PortCall): boolean =>
  call.name === target.name && call.nth === target.nth;

type Strike = FaultKind['strike'];

/** The call itself fails, before or after its effect; whatever comes later goes through. */
const failing =
  (when: 'before' | 'after', error: (call: PortCall) => Error): Strike =>
  (target) =>
  async (call, effect) => {
    if (!isTarget(target, call)) return effect();
    if (when === 'after') await effect();
    throw error(call);
  };

const refusing = (when: 'before' | 'after', code: PortErrorCode): Strike =>
  failing(when, ({ name }) => new PortError(code, `${name}: ${code}, as the test wants it`));

const killing =
  (when: 'before' | 'after'): Strike =>
  (target, context) => {
    let dead = false;
    const die = (): never => {
      dead = true;
      context.die();
      throw new ProcessDied();
    };
    return async (call, effect) => {
      if (dead) throw new ProcessDied();
      if (!isTarget(target, call)) return effect();
      if (when === 'after') await effect();
      return die();
    };
  };

/** The right is missing for all calls of this name about this subject, however often they are tried. */
const forbidding: Strike = (target) => {
  let begun = false;
  return async (call, effect) => {
    begun ||= isTarget(target, call);
    const alike = call.name === target.name && subjectOf(call.args) === target.subject;
    if (!begun || !alike) return effect();
    throw new PortError('forbidden', `${call.name}: not authorised, as the test wants it`);
  };
};

const answeringOld: Strike = (target, context) => async (call, effect) =>
  isTarget(target, call) ? context.oldAnswer() : effect();

const losingLease: Strike = (target, context) => async (call, effect) => {
  if (isTarget(target, call)) await context.meanwhile();
  return effect();
};

/** Somebody else is called just before the call; with `then`, that strikes it next. */
const callingAnother =
  (then?: Strike): Strike =>
  (target, context) => {
    const strike = then?.(target, context);
    return async (call, effect) => {
      if (isTarget(target, call)) await context.callAnother();
      return strike === undefined ? effect() : strike(call, effect);
    };
  };

const once = (
  name: string,
  strike: Strike,
  over: Partial<Omit<FaultKind, 'name' | 'strike'>> = {},
): FaultKind => ({
  name,
  strikes: 'first',
  invocations: 1,
  strike,
  ...over,
});

/** Everything that may become of one port call, one at a time. */
export const faultKinds: readonly FaultKind[] = [
  once(
    'cut before',
    failing('before', ({ name }) => new Error(`${name} was cut off`)),
  ),
  once(
    'cut after',
    failing('after', ({ name }) => new Error(`${name} was cut off`)),
  ),
  once('killed before', killing('before')),
  once('killed after', killing('after')),
  // Its message comes back while the dead one's lease still stands in the way.
  once('killed, back early', killing('after'), { backAfterSeconds: 10 }),
  once('throttled', refusing('before', 'throttled'), { passes: true }),
  once('unavailable', refusing('before', 'unavailable'), { passes: true }),
  once('timeout after', refusing('after', 'timeout')),
  once('forbidden', forbidding, { invocations: 2 }),
  once('stale', answeringOld, { gives: 'old answers' }),
  once('stale sweep', answeringOld, { strikes: 'sweep', gives: 'old answers' }),
  once('lease lost', losingLease),
  once('marked', callingAnother(), { another: 'soon' }),
  // The message is not tried again: only the mark and its wake-up are left of the other call.
  once('marked, forbidden', callingAnother(forbidding), { another: 'atLast' }),
];
