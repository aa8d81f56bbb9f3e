import type { PortCall } from '../helpers/faulty-ports.ts';
import { unanswered } from './another-call.ts';
import { type FaultKind, faultKinds, subjectOf, type TracedCall } from './faults.ts';
import { type Played, play, type Traced } from './play.ts';
import type { Arrangement, CrashOperation, State } from './stage.ts';

export interface CrashCase {
  /** `nodeGroups.setDesiredCapacity 2` */
  readonly call: string;
  readonly fault: string;
  /** Invocations needed, the struck one included. */
  readonly runs: number;
  /** What is not as in the undisturbed run; empty: nothing. */
  readonly differences: readonly string[];
  /** What is not as in the undisturbed run and does no harm, such as a message that came twice. */
  readonly notes: readonly string[];
}

export interface CrashReport {
  readonly arrangement: string;
  readonly about: string;
  /** Port calls of the undisturbed run, in order. */
  readonly calls: readonly string[];
  readonly state: State;
  readonly cases: readonly CrashCase[];
}

export interface CrashOptions
  extends Partial<Omit<CrashOperation, 'name' | 'worlds' | 'calls' | 'open'>> {
  /** Names of the faults to play. Default: all. */
  readonly faults?: readonly string[];
}

const labelOf = ({ name, nth }: Pick<TracedCall, 'name' | 'nth'>): string => `${name} ${nth}`;

/** Plays the undisturbed run, finds its port calls, and plays every fault at each of them. */
export const crashEverywhere = async (
  arrangement: Arrangement,
  options: CrashOptions = {},
): Promise<CrashReport> => {
  const played = arrangement.faults ?? options.faults;
  const kinds = faultKinds.filter(({ name }) => played?.includes(name) ?? true);
  const undisturbed = await playOn(arrangement);
  const cases = [undisturbedCase(arrangement, undisturbed, options)];
  for (const target of [...undisturbed.trace.first, ...undisturbed.trace.sweep]) {
    for (const fault of kinds) {
      if (!undisturbed.trace[fault.strikes].includes(target)) continue;
      if (fault.gives !== undefined && !mayBeOld(target, options)) continue;
      if (fault.another !== undefined && !undisturbed.hasAnother) continue;
      cases.push(await crashOnce({ arrangement, undisturbed, fault, target, options }));
    }
  }
  for (const [outage, said] of undisturbed.outages.entries()) {
    const played = await playOn(arrangement, { outage });
    cases.push({
      ...said,
      runs: played.runs,
      differences: commonDifferences(undisturbed, played, options),
      notes: notesOn(undisturbed, played, options),
    });
  }
  return {
    arrangement: arrangement.name,
    about: arrangement.about,
    calls: undisturbed.trace.first.map(labelOf),
    state: undisturbed.state,
    cases,
  };
};

const undisturbedCase = (
  arrangement: Arrangement,
  { ended, runs, state, early = {} }: Played,
  options: CrashOptions,
): CrashCase => {
  const settled = { ...options.settled, ...arrangement.settled };
  const expected = arrangement.early ?? {};
  return {
    call: 'none',
    fault: 'none',
    runs,
    differences: [
      ...(ended ? [] : [`no end after ${runs} runs`]),
      ...differencesOf(settled, state, Object.keys(settled)),
      ...beforeSweep([
        ...differencesOf(expected, early, Object.keys(expected)),
        ...differencesOf(state, early, options.prompt ?? []),
      ]),
    ],
    notes: [],
  };
};

const beforeSweep = (differences: readonly string[]): readonly string[] =>
  differences.map((said) => `before any sweep, ${said}`);

const mayBeOld = ({ name, reads }: TracedCall, { consistent = [] }: CrashOptions): boolean =>
  reads && !consistent.includes(name);

interface OneCase {
  readonly arrangement: Arrangement;
  readonly undisturbed: Played;
  readonly fault: FaultKind;
  readonly target: Traced;
  readonly options: CrashOptions;
}

const crashOnce = async (one: OneCase): Promise<CrashCase> => {
  const { arrangement, undisturbed, fault, target, options } = one;
  const said = { call: labelOf(target), fault: fault.name };
  const played = await playOn(arrangement, { fault, target, callArgs: target.args });
  return {
    ...said,
    runs: played.runs,
    differences: [
      ...commonDifferences(undisturbed, played, options),
      ...(fault.passes && !options.mayWait?.includes(target.name)
        ? beforeSweep(
            differencesOf(undisturbed.state, played.early ?? {}, options.promptAfterFaults ?? []),
          )
        : []),
      ...(fault.another === undefined
        ? []
        : unanswered(fault.another, undisturbed.seconds, played.answered)),
      ...(fault.invocations > 1
        ? heldUp(target, options.independent ?? [], { undisturbed, played })
        : []),
    ],
    notes: notesOn(undisturbed, played, options),
  };
};

const notesOn = (
  undisturbed: Played,
  played: Played,
  { noted = [] }: CrashOptions,
): readonly string[] => differencesOf(undisturbed.state, played.state, noted);

const commonDifferences = (
  undisturbed: Played,
  played: Played,
  { varying = [] }: CrashOptions,
): readonly string[] => {
  const parts = [...Object.keys(undisturbed.state), ...Object.keys(played.state)];
  const compared = parts.filter((part) => !varying.includes(part));
  return [
    ...(played.struck ? [] : ['the call was not made']),
    ...(played.ended ? [] : [`no end after ${played.runs} runs`]),
    ...differencesOf(undisturbed.state, played.state, compared),
  ];
};

const playOn = async (
  arrangement: Arrangement,
  disturbance?: Parameters<typeof play>[1],
): Promise<Played> => {
  const stage = await arrangement.stage();
  try {
    return await play(stage, disturbance);
  } finally {
    await stage.close();
  }
};

/** One line for each part of the state that is not as expected. Default: all parts. */
export const differencesOf = (
  expected: State,
  found: State,
  parts: readonly string[] = [...Object.keys(expected), ...Object.keys(found)],
): readonly string[] =>
  [...new Set(parts)].flatMap((part) => {
    const [want, got] = [JSON.stringify(expected[part]), JSON.stringify(found[part])];
    return want === got ? [] : [`${part}: ${got} instead of ${want}`];
  });

/** Calls that stand beside the forbidden one and did not take place while it was. */
const heldUp = (
  target: Traced,
  independent: readonly string[],
  { undisturbed, played }: { readonly undisturbed: Played; readonly played: Played },
): readonly string[] => {
  const subjects = (calls: readonly Pick<PortCall, 'name' | 'args'>[]): readonly string[] =>
    calls
      .filter(({ name }) => name === target.name)
      .map(({ args }) => subjectOf(args))
      .filter((subject) => subject !== target.subject);
  if (!independent.includes(target.name)) return [];
  const done = new Set(subjects(played.meanwhile));
  return [...new Set(subjects(undisturbed.trace.first))]
    .filter((subject) => !done.has(subject))
    .map((subject) => `${target.name} of ${subject} was held up`);
};
