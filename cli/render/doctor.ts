import type { DoctorReport } from '#operations/doctor/doctor.ts';
import { indent } from './section.ts';
import type { Style } from './style.ts';
import { hanging, hangingCommand, plain } from './text.ts';

type Check = DoctorReport['checks'][number];

const marks: Readonly<Record<Check['result'], string>> = {
  ok: 'ok    ',
  warn: 'WARN  ',
  fail: 'FAIL  ',
};

const paint = (result: Check['result'], style: Style): ((text: string) => string) => {
  if (result === 'ok') return style.good;
  return result === 'fail' ? style.bad : style.bold;
};

/** A remedy that is a command can be pasted as it is printed. */
const remedyLines = (remedy: string, head: string, { width }: Style): readonly string[] =>
  (remedy.startsWith('aws ') ? hangingCommand : hanging)(head, plain(remedy), width);

const checkLines = (check: Check, style: Style): readonly string[] => {
  const mark = marks[check.result];
  const [first = '', ...rest] = hanging(
    indent + mark,
    plain(`${check.check}: ${check.message}`),
    style.width,
  );
  const remedy =
    check.remedy === undefined
      ? []
      : remedyLines(check.remedy, `${' '.repeat(indent.length + mark.length)}-> `, style);
  return [first.replace(mark.trim(), paint(check.result, style)(mark.trim())), ...rest, ...remedy];
};

/** Checks under the thing that they are about, and what they came to. */
export const renderReport = (report: DoctorReport, style: Style): string => {
  const subjects = new Map<string, Check[]>();
  for (const check of report.checks) {
    subjects.set(check.subject, [...(subjects.get(check.subject) ?? []), check]);
  }
  const { ok, warn, fail } = report.summary;
  const verdict =
    fail > 0 ? 'something is broken' : warn > 0 ? 'works; see the warnings' : 'all is well';
  return [
    ...[...subjects].flatMap(([subject, checks]) => [
      ...hanging('', plain(subject), style.width).map(style.bold),
      ...checks.flatMap((check) => checkLines(check, style)),
    ]),
    '',
    `${ok} ok, ${warn} to look at, ${fail} broken: ${verdict}`,
    '',
  ].join('\n');
};
