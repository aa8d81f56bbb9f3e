import type { CrashCase, CrashReport } from './crash-cases.ts';

const callWidth = 33;
const faultWidth = 29;
const runsWidth = 6;
const width = 80;

/** The report for people: faults of one call that ended alike share a row; at most 80 columns. */
export const tableOf = ({ arrangement, about, calls, cases }: CrashReport): readonly string[] => {
  const differing = cases.filter(({ differences }) => differences.length > 0);
  return [
    ...wrap(`${arrangement}: ${about}`, width),
    `${calls.length} port calls, ${cases.length - 1} faults, ${differing.length} with another final state`,
    '',
    row('port call', ['fault'], ['runs', 'final state']).join('\n'),
    ...grouped(cases).flatMap(({ call, faults, runs, differences, notes }) => [
      ...row(call, wrap(faults.join(', '), faultWidth - 1), [
        `${runs}`,
        differences.length === 0 ? 'ok' : 'DIFFERS',
      ]),
      ...[...differences, ...notes].flatMap((said) =>
        wrap(said, width - 4).map((line) => `    ${line}`),
      ),
    ]),
    '',
  ];
};

const row = (
  call: string,
  faults: readonly string[],
  [runs = '', state = '']: readonly string[],
): readonly string[] =>
  faults.map((fault, index) =>
    (index === 0
      ? `${call.padEnd(callWidth)}${fault.padEnd(faultWidth)}${runs.padEnd(runsWidth)}${state}`
      : `${' '.repeat(callWidth)}${fault}`
    ).trimEnd(),
  );

interface Group extends Omit<CrashCase, 'fault'> {
  readonly faults: readonly string[];
}

const grouped = (cases: readonly CrashCase[]): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const { fault, ...rest } of cases) {
    const key = JSON.stringify(rest);
    const before = groups.get(key);
    groups.set(key, { ...rest, faults: [...(before?.faults ?? []), fault] });
  }
  // Rows of one call together, though a sweep's calls have the names of the first run's.
  const order = [...new Set(cases.map(({ call }) => call))];
  return [...groups.values()].sort((a, b) => order.indexOf(a.call) - order.indexOf(b.call));
};

const wrap = (text: string, room: number): readonly string[] => {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= room) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  // A word without end, as states in JSON may be, is cut.
  return lines.flatMap((line) => line.match(new RegExp(`.{1,${room}}`, 'g')) ?? ['']);
};
