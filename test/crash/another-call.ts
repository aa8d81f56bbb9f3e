/** A port call that an operation began. */
export interface Begun {
  readonly name: string;
  readonly atMs: number;
}

/** Somebody else's call that fell into an operation's work. */
export interface Called {
  readonly atMs: number;
  /** What must still begin to answer it, after so many port calls had begun. */
  readonly open: readonly string[];
  readonly from: number;
  /** It has sent a message that will see to it: the first mark's wake-up. Later marks rely on that of the first. */
  readonly promised: boolean;
}

/** What became of it: the seconds until all that answers it had begun. */
export interface Answered {
  /** `undefined`: not before a sweep. */
  readonly seconds: number | undefined;
  /** At the latest by one of the sweeps. */
  readonly ever: boolean;
  readonly promised: boolean;
}

export const answeredAfter = (
  { atMs, open, from }: Called,
  begun: readonly Begun[],
): number | undefined => {
  const since = begun.slice(from);
  const answers = open.map((name) => since.find((call) => call.name === name)?.atMs);
  return answers.reduce<number | undefined>(
    (last, answer) =>
      last === undefined || answer === undefined
        ? undefined
        : Math.max(last, (answer - atMs) / 1000),
    0,
  );
};

/** More than a wake-up for the rest takes, and less than one for a lease that nobody gave back. */
const slackSeconds = 10;

/**
 * What is wrong with the answer. `soon`: it must begin as fast as the undisturbed message is through, so in
 * `usualSeconds`; `atLast`: as it was promised, by a message that the call sent or by the sweep.
 */
export const unanswered = (
  when: 'soon' | 'atLast',
  usualSeconds: number,
  answered: Answered | undefined,
): readonly string[] => {
  if (answered === undefined) return [];
  const { seconds, ever, promised } = answered;
  if (when === 'atLast' && !promised && ever) return [];
  if (seconds === undefined)
    return [ever ? 'no look after the mark before any sweep' : 'no look after the mark'];
  return when === 'soon' && seconds > usualSeconds + slackSeconds
    ? [`the look after the mark began only ${seconds} s later`]
    : [];
};
