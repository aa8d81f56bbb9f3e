const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The longest duration taken: a year. */
const longestSeconds = 366 * 86_400;

/**
 * Whole seconds of a duration as people write it: `90s`, `15m`, `1h30m`, `2d`. `undefined` where it
 * is none: a bare number has no unit, fractions and signs mean nothing here, and more than a year is
 * a mistake.
 */
export const parseDurationSeconds = (text: string): number | undefined => {
  if (!/^(\d{1,9}[smhd])+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([smhd])/g)) {
    seconds += Number(count) * (unitSeconds[unit ?? ''] ?? 0);
  }
  return seconds <= longestSeconds ? seconds : undefined;
};

/**
 * Per mille of a percentage with at most one decimal: `10%` is 100, `5.5%` is 55. `undefined` where
 * it is none, or more than 100 %.
 */
export const parsePercentPerMille = (text: string): number | undefined => {
  const match = /^(\d{1,3})(?:\.(\d))?%$/.exec(text);
  if (match === null) return undefined;
  const perMille = Number(match[1]) * 10 + Number(match[2] ?? '0');
  return perMille <= 1000 ? perMille : undefined;
};
