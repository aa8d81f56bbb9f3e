import { counted } from '#config/words.ts';
import type { Plan, PlanLimits, PlannedCase } from '#operations/plan.ts';
import type { PlanProgress } from '#wiring/offline-plan.ts';
import type { Style } from './style.ts';
import { type Column, fewOf, hanging, plain, table, wrap, wrapUnder } from './text.ts';

export type PlanView = Pick<PlannedCase, 'plan' | 'limits'>;

type StuckPod = Plan['stuck'][number];

const indent = '  ';
const fewPods = 6;
const fewFits = 40;

const money = (dollars: number): string => `$${dollars.toFixed(2)}/h`;

const indented = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => `${indent}${line}`);

const section = (title: string, lines: readonly string[], style: Style): readonly string[] =>
  lines.length === 0
    ? []
    : ['', ...wrap(title, style.width).map((line) => style.bold(line)), ...lines];

const costLine = ({
  hourlyCostBefore: before,
  hourlyCostAfter: after,
}: Plan['summary']): string => {
  if (before === undefined) return '';
  return after === undefined ? `; ${money(before)} now` : `; ${money(before)} -> ${money(after)}`;
};

/** What the plan was made without; standard error names each input. */
const incompleteLine = ({ unusedInputs, defaultPolicy }: PlanLimits): readonly string[] => {
  if (unusedInputs === 0) return [];
  const verb = unusedInputs === 1 ? 'was' : 'were';
  const policy = defaultPolicy
    ? '; policy defaults were used, since the configuration is faulty'
    : '';
  return [
    `Incomplete: ${counted(unusedInputs, 'input')} ${verb} not used (see standard error)${policy}`,
  ];
};

/** Where it is, when, what it lacks, and all of it in numbers. */
const summaryLines = ({ plan, limits }: PlanView, style: Style): readonly string[] => {
  const { summary } = plan;
  const said =
    `${counted(summary.pendingPods, 'Pending pod')}, ${summary.stuckPods} stuck; ` +
    `${counted(summary.newNodes, 'new node')}${costLine(summary)}`;
  return [
    `${plan.cluster} at ${plan.at}`,
    ...incompleteLine(limits),
    said,
    ...limits.caveats,
  ].flatMap((line) => wrapUnder(indent, plain(line), style.width).map((part) => style.bold(part)));
};

const raiseColumns: readonly Column[] = [
  { title: 'GROUP', elastic: true },
  { title: 'NODES' },
  { title: 'ZONE', elastic: true },
  { title: 'TYPE', elastic: true },
  { title: 'PODS', right: true },
];

const raiseLines = ({ scaleUps }: Plan, style: Style): readonly string[] => {
  const rows = scaleUps.map((raise) => [
    plain(raise.group),
    `${raise.from} -> ${raise.to}`,
    plain(raise.zone ?? 'AWS chooses'),
    plain(raise.instanceType ?? 'AWS chooses'),
    String(raise.pods.length),
  ]);
  const [titles, ...lines] = table(raiseColumns, rows, style.width - indent.length);
  if (titles === undefined || lines.length === 0) return [];
  const details = scaleUps.map((raise) => [
    ...hanging(`${indent}${indent}why   `, plain(raise.reason), style.width),
    ...hanging(`${indent}${indent}pods  `, fewOf(raise.pods.map(plain), fewPods), style.width),
  ]);
  return [
    `${indent}${titles}`,
    ...lines.flatMap((line, index) => [`${indent}${line}`, ...(details[index] ?? [])]),
  ];
};

/** Reasons that say nothing of the groups: such a pod might be hosted. */
const unknownTitles: ReadonlyMap<string, string> = new Map([
  ['notJudged', 'Not judged by this version (see docs/limits.md)'],
  ['notLookedAt', 'Not looked at to the end (see docs/limits.md)'],
]);

const unknownCode = ({ reasons }: StuckPod): string | undefined =>
  reasons.map(({ code }) => code).find((code) => unknownTitles.has(code));

const stuckSections = ({ stuck }: Plan, style: Style): readonly string[] => {
  const judged = stuck.filter((pod) => unknownCode(pod) === undefined);
  return [
    ...section('Stuck: no group can host these pods', stuckLines(judged, style), style),
    ...[...unknownTitles].flatMap(([code, title]) => {
      const pods = stuck.filter((pod) => unknownCode(pod) === code);
      return section(title, stuckLines(pods, style), style);
    }),
  ];
};

/** Pods with the same reasons are told of once: a Deployment's pods all lack the same. */
const stuckLines = (stuck: readonly StuckPod[], style: Style): readonly string[] => {
  const alike = new Map<
    string,
    { readonly pods: string[]; readonly reasons: Plan['blockedGroups'] }
  >();
  for (const { pod, reasons } of stuck) {
    const key = JSON.stringify(reasons);
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { pods: [plain(pod)], reasons });
    else known.pods.push(plain(pod));
  }
  return [...alike.values()].flatMap(({ pods, reasons }) => [
    ...hanging(indent, fewOf(pods, fewPods), style.width),
    ...reasons.flatMap((reason) => {
      const subject = reason.group ?? reason.node;
      const head = `${indent}${indent}- `;
      const said = subject === undefined ? reason.message : `${subject}: ${reason.message}`;
      return hanging(head, plain(said), style.width);
    }),
  ]);
};

const fitLines = ({ fits }: Plan, style: Style): readonly string[] => {
  const columns: readonly Column[] = [
    { title: 'POD', elastic: true },
    { title: 'NODE', elastic: true },
  ];
  if (fits.length === 0) return [];
  const rows = fits.slice(0, fewFits).map(({ pod, node }) => [plain(pod), plain(node)]);
  const more = fits.length - rows.length;
  return indented([
    ...table(columns, rows, style.width - indent.length),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]);
};

/** Grouped by what is said: many pods are left alone for one reason. */
const ignoredLines = ({ ignored }: Plan, style: Style): readonly string[] => {
  const byMessage = new Map<string, string[]>();
  for (const { pod, message } of ignored) {
    byMessage.set(message, [...(byMessage.get(message) ?? []), plain(pod)]);
  }
  return [...byMessage].flatMap(([message, pods]) =>
    hanging(indent, `${fewOf(pods, fewPods)}: ${plain(message)}`, style.width),
  );
};

const blockedLines = ({ blockedGroups }: Plan, style: Style): readonly string[] =>
  blockedGroups.flatMap(({ group, message }) =>
    hanging(indent, plain(`${group ?? ''}: ${message}`), style.width),
  );

/** The plan for a tired person: what will be done, then what cannot be, then the rest. */
export const renderPlan = (view: PlanView, style: Style): string => {
  const { plan } = view;
  const raises = raiseLines(plan, style);
  return [
    ...summaryLines(view, style),
    ...section('Groups to raise', raises.length > 0 ? raises : [`${indent}none`], style),
    ...stuckSections(plan, style),
    ...section('Fits: existing or coming nodes can take these pods', fitLines(plan, style), style),
    ...section('Groups that cannot be used', blockedLines(plan, style), style),
    ...section('Left alone', ignoredLines(plan, style), style),
    '',
  ].join('\n');
};

/** One line that is written over itself, on a terminal only. */
export const renderReading = ({ file, bytes, done }: PlanProgress): string => {
  const megabytes = (count: number): string => (count / 1_000_000).toFixed(1);
  return `reading ${plain(file)}: ${megabytes(done)} of ${megabytes(bytes)} MB`;
};
