import { parseTime as readTime } from '#config/words.ts';
import { CommandError } from './command-error.ts';

/** People leave the seconds out. */
const withSeconds = (text: string): string => text.replace(/([Tt]\d\d:\d\d)(?=[Zz+-])/, '$1:00');

/** Milliseconds since the epoch. Throws a usage error that names the option and the remedy. */
export const parseTime = (option: string, text: string): number => {
  const time = readTime(withSeconds(text));
  if (time !== undefined) return time;
  const shown = JSON.stringify(text.slice(0, 60));
  throw new CommandError(
    2,
    `outrider: ${option} ${shown} is no time: write it with its zone, such as 2026-08-21T10:00:00Z`,
  );
};
