import type { Style } from './style.ts';
import { wrap } from './text.ts';

export const indent = '  ';

/** A title in bold over its lines, after an empty line; nothing where there are none. */
export const section = (
  title: string,
  lines: readonly string[],
  style: Style,
): readonly string[] =>
  lines.length === 0
    ? []
    : ['', ...wrap(title, style.width).map((line) => style.bold(line)), ...lines];

/** How long ago, in the largest unit of which there is one: `3 d`, `2 h`, `5 min`, `40 s`. */
export const ageText = (seconds: number): string => {
  if (seconds >= 86_400) return `${Math.floor(seconds / 86_400)} d`;
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h`;
  return seconds >= 60
    ? `${Math.floor(seconds / 60)} min`
    : `${Math.max(0, Math.floor(seconds))} s`;
};

/** Seconds from an RFC 3339 time to now. */
export const secondsSince = (time: string, nowMs: number): number =>
  (nowMs - Date.parse(time)) / 1000;
