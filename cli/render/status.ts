import { counted } from '#config/words.ts';
import type { ClusterStatus } from '#operations/status.ts';
import { ageText, indent, secondsSince, section } from './section.ts';
import type { Style } from './style.ts';
import { type Column, hanging, plain, table, wrapUnder } from './text.ts';

const fewWork = 12;

const numberText = (count: number | null): string => (count === null ? '?' : String(count));

const nodeLine = ({ nodes, pendingPods }: ClusterStatus): string =>
  [
    `${numberText(nodes.ready)} ready`,
    `${numberText(nodes.coming)} coming`,
    `${numberText(nodes.draining)} draining`,
    `${numberText(nodes.cordoned)} cordoned`,
    pendingPods === null ? '? Pending pods' : counted(pendingPods, 'Pending pod'),
  ].join(', ');

const leaseText = ({ lease }: ClusterStatus): string => {
  const marks = lease.marks === 0 ? '' : `, ${counted(lease.marks, 'mark')}`;
  if (lease.holder === undefined) return `free${marks}`;
  return lease.expired === true
    ? `${lease.holder} held it until ${lease.until} and died${marks}`
    : `held by ${lease.holder} until ${lease.until}${marks}`;
};

const lookText = ({ lastLook }: ClusterStatus, nowMs: number): string => {
  if (lastLook === undefined) return 'none is known';
  const { at, result } = lastLook;
  const came = { done: '', failed: ', failed', running: ', still at it' }[result];
  return `${ageText(secondsSince(at, nowMs))} ago (${at})${came}`;
};

const workText: Readonly<Record<ClusterStatus['work'][number]['kind'], string>> = {
  raise: 'raising',
  takeBack: 'taking back',
  launch: 'AWS owes instances',
  start: 'starting',
};

const workLines = ({ work }: ClusterStatus, nowMs: number, style: Style): readonly string[] => {
  if (work.length === 0) return [];
  const columns: readonly Column[] = [
    { title: 'WORK' },
    { title: 'GROUP', elastic: true },
    { title: 'WHAT', elastic: true },
    { title: 'SINCE', right: true },
  ];
  const rows = work
    .slice(0, fewWork)
    .map(({ kind, group, from, to, instance, since }) => [
      workText[kind],
      plain(group),
      plain(instance ?? (to === undefined ? '' : `${from} -> ${to}`)),
      ageText(secondsSince(since, nowMs)),
    ]);
  const more = work.length - rows.length;
  return [
    ...table(columns, rows, style.width - indent.length),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].map((line) => indent + line);
};

const backOffLines = ({ backOffs }: ClusterStatus, style: Style): readonly string[] =>
  backOffs.flatMap(({ group, over, until, failures, message }) => {
    const state = over ? `ended ${until}, remembered` : `until ${until}`;
    return hanging(
      indent,
      plain(`${group}: ${state}; ${counted(failures, 'failure')}: ${message}`),
      style.width,
    );
  });

/** Decisions as a list of their times, causes and words. */
export const decisionLines = (
  decisions: ClusterStatus['decisions'],
  style: Style,
): readonly string[] =>
  decisions.flatMap(({ id, at, trigger, mode, said }) => [
    ...wrapUnder(indent, plain(`${indent}${at}  ${id}  (${trigger}, ${mode})`), style.width),
    ...hanging(`${indent}${indent}`, plain(said), style.width),
  ]);

/** How one cluster is doing. */
export const renderStatus = (status: ClusterStatus, nowMs: number, style: Style): string => {
  const { cluster, mode, unreachable } = status;
  const facts = [
    ['nodes', nodeLine(status)],
    ['look', lookText(status, nowMs)],
    ['lease', leaseText(status)],
  ] as const;
  return [
    ...wrapUnder(indent, plain(`${cluster}: ${mode}`), style.width).map(style.bold),
    ...facts.flatMap(([name, text]) =>
      hanging(`${indent}${name.padEnd(5)}  `, plain(text), style.width),
    ),
    ...unreachable.flatMap(({ what, message }) =>
      hanging(indent, plain(`not reached: ${what}: ${message}`), style.width).map(style.bad),
    ),
    ...section('Under way', workLines(status, nowMs, style), style),
    ...section('Backed off: launches failed', backOffLines(status, style), style),
    ...section('Latest decisions', decisionLines(status.decisions, style), style),
    '',
  ].join('\n');
};
