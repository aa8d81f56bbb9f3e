import { counted, problemLine } from '#config/words.ts';
import type { JournalledDecision } from '#operations/read-journal.ts';
import type { ReplayOutcome } from '#operations/replay.ts';
import { section } from './section.ts';
import type { Style } from './style.ts';
import { fewOf, hanging, plain, wrapUnder } from './text.ts';

/** A decision in a few lines, one for each raise and each stuck pod, wrapped. */
export const renderDecision = (
  decision: ReplayOutcome['decision'],
  cluster: string,
  { width }: Style,
): string => {
  const { scaleUps, fits, stuck, ignored } = decision;
  const title = `${cluster}: ${counted(scaleUps.length, 'group')} to raise, ${counted(fits.length, 'pod fits', 'pods fit')}, ${stuck.length} stuck, ${ignored.length} left alone`;
  const details = [
    ...scaleUps.map(({ group, from, to, reason }) => `${group} ${from} -> ${to}: ${reason}`),
    // Records older than them have none.
    ...(decision.takeBacks ?? []).map(
      ({ group, from, to, reason }) => `${group} ${from} -> ${to}, taken back: ${reason}`,
    ),
    ...stuck.map(
      ({ pod, reasons }) =>
        `${pod} stuck: ${fewOf(
          reasons.map(({ group, node, message }) => `${group ?? node ?? ''} ${message}`.trim()),
          3,
        )}`,
    ),
  ];
  const lines = [
    ...wrapUnder('  ', plain(title), width),
    ...details.flatMap((detail) =>
      wrapUnder('  ', plain(detail), width - 2).map((line) => `  ${line}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
};

const fewPods = 6;

/** A decision as the journal keeps it: when and why it was taken, what it says, and what it was taken without. */
export const renderJournalled = (journalled: JournalledDecision, style: Style): string => {
  const { id, at, trigger, mode, engineVersion, cluster, decision } = journalled;
  const list = (lines: readonly string[]): readonly string[] =>
    lines.flatMap((line) => hanging('  - ', plain(line), style.width));
  const head = `${id} at ${at}: because of ${trigger}, mode ${mode}, engine ${engineVersion}`;
  const problems = [...journalled.problems, ...decision.problems];
  return [
    ...wrapUnder('  ', plain(head), style.width).map(style.bold),
    renderDecision(decision, cluster, style).trimEnd(),
    ...section(
      'Pods of the raises',
      list(decision.scaleUps.map(({ group, pods }) => `${group}: ${fewOf(pods, fewPods)}`)),
      style,
    ),
    ...section(
      'Alerts',
      list((decision.alerts ?? []).map(({ subject, summary }) => `${subject}: ${summary}`)),
      style,
    ),
    ...section(
      'Groups that cannot be used',
      list(decision.blockedGroups.map(({ group, message }) => `${group ?? ''}: ${message}`)),
      style,
    ),
    ...section('Left out', list(problems.map(problemLine)), style),
    '',
  ].join('\n');
};
