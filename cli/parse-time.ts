import { CommandError } from './command-error.ts';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

/** Milliseconds since the epoch. Throws a usage error that names the option and the remedy. */
export const parseTime = (option: string, text: string): number => {
  const time = rfc3339.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const shown = JSON.stringify(text.slice(0, 60));
  throw new CommandError(
    2,
    `outrider: ${option} ${shown} is no time: write it with its zone, such as 2026-08-21T10:00:00Z`,
  );
};
