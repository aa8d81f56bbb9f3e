import { failureOf } from '../failure.ts';

/** One thing looked at. `check` is stable; people filter on it. */
export interface Check {
  readonly check: string;
  /** `stack Outrider`, `network main`, `cluster shop`, `group shop-web-1a`. */
  readonly subject: string;
  readonly result: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do; absent where there is nothing to do. */
  readonly remedy?: string;
}

export type CheckOf = Pick<Check, 'check' | 'subject'>;

export const ok = (about: CheckOf, message: string): Check => ({ ...about, result: 'ok', message });

export const warn = (about: CheckOf, message: string, remedy?: string): Check => ({
  ...about,
  result: 'warn',
  message,
  ...(remedy === undefined ? {} : { remedy }),
});

export const fail = (about: CheckOf, message: string, remedy: string): Check => ({
  ...about,
  result: 'fail',
  message,
  remedy,
});

/** Nobody knows: a missing right of whoever asks, or a service that is not there. Never the same as bad. */
export const notAsked = (about: CheckOf, thrown: unknown): Check => {
  const { code, message } = failureOf(thrown);
  const remedy =
    code === 'forbidden'
      ? 'run the command with the right to make that call'
      : 'see whether the service can be reached from this machine';
  return warn(about, `could not be asked: ${message}`, remedy);
};

/** The verdicts on an answer, or that it could not be asked for. */
export const asking = async <T>(
  about: CheckOf,
  question: () => Promise<T>,
  judge: (answer: T) => Check | readonly Check[],
): Promise<readonly Check[]> => {
  let answer: T;
  try {
    answer = await question();
  } catch (thrown) {
    return [notAsked(about, thrown)];
  }
  return [judge(answer)].flat();
};

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** `3 days`, `2 hours`, `5 minutes`, `40 seconds`: the largest unit of which there is at least one. */
export const spanText = (ms: number): string => {
  const units = [
    ['day', dayMs],
    ['hour', hourMs],
    ['minute', minuteMs],
    ['second', 1000],
  ] as const;
  const [name, size] = units.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1000];
  const count = Math.floor(Math.abs(ms) / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
};

/** How long before its end a certificate or token is spoken of. */
const soonMs = 14 * dayMs;

/** A certificate or token that runs out. */
export const expiryCheck = (
  about: CheckOf,
  what: { readonly name: string; readonly remedy: string },
  { expiresAtMs, nowMs }: { readonly expiresAtMs: number; readonly nowMs: number },
): Check => {
  const left = expiresAtMs - nowMs;
  if (left <= 0) return fail(about, `${what.name} ran out ${spanText(left)} ago`, what.remedy);
  const message = `${what.name} runs out in ${spanText(left)}`;
  return left < soonMs ? warn(about, message, what.remedy) : ok(about, message);
};
