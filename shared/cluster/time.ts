const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const isLeapYear = (year: number): boolean =>
  (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (monthDays[month - 1] ?? 0);

/** Days from 1970-01-01 in the Gregorian calendar, counting years from March so that leap days come last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}

/** A moment for people and records: `2026-08-21T10:00:00Z`, cut to whole seconds. */
export function formatTime(atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const days = Math.floor(seconds / 86_400);
  // Years from March, so that leap days come last; eras of 400 years repeat.
  const sinceMarch0 = days + 719_468;
  const era = Math.floor(sinceMarch0 / 146_097);
  const dayOfEra = sinceMarch0 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = ((marchMonth + 2) % 12) + 1;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  const two = (part: number): string => String(part).padStart(2, '0');
  const rest = seconds - days * 86_400;
  const time = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map(two).join(':');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}Z`;
}

/**
 * An RFC 3339 time (`2026-08-21T10:00:00Z`, Kubernetes' Time and MicroTime) as milliseconds since the
 * epoch, cut to whole milliseconds; `undefined` where it is none.
 */
export function parseTime(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const part = (index: number): number => Number(match[index] ?? '0');
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [offsetHour, offsetMinute] = [part(9), part(10)];
  if (offsetHour > 23 || offsetMinute > 59) return undefined;
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const minutes = daysSinceEpoch(year, month, day) * 1440 + hour * 60 + minute - offset;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  return (minutes * 60 + second) * 1000 + milliseconds;
}
