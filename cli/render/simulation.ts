import { counted } from '#config/words.ts';
import type { PlayProgress } from '#operations/play-scenario.ts';
import type { StoryEvent, StoryKind } from '#operations/scenario/story.ts';
import type { ScenarioSummary } from '#operations/scenario/summary.ts';
import type { Style } from './style.ts';
import { wrap } from './text.ts';

const labels: Readonly<Record<StoryKind, string>> = {
  created: 'pods',
  pending: 'pending',
  decision: 'DECIDED',
  stuck: 'STUCK',
  ignored: 'ignored',
  blocked: 'blocked',
  failure: 'FAILED',
  asked: 'asked',
  launch: 'launch',
  launchFailed: 'FAILED',
  registered: 'node',
  missing: 'MISSING',
  ended: 'ENDED',
  ready: 'ready',
  running: 'running',
  finished: 'finished',
  told: 'told',
  paged: 'PAGED',
  end: 'end',
};

const paintOf = (kind: StoryKind, style: Style): ((text: string) => string) => {
  switch (kind) {
    case 'decision':
      return style.bold;
    case 'ready':
    case 'running':
      return style.good;
    case 'stuck':
    case 'failure':
    case 'launchFailed':
    case 'missing':
    case 'ended':
    case 'paged':
    case 'blocked':
      return style.bad;
    default:
      return (text) => text;
  }
};

const timeWidth = 9;
const labelWidth = 9;

/** `1:02:03.4`, `2:03.4`. */
export const clockText = (ms: number): string => {
  const tenths = Math.floor(ms / 100);
  const hours = Math.floor(tenths / 36_000);
  const minutes = Math.floor(tenths / 600) % 60;
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  return hours === 0
    ? `${minutes}:${seconds}`
    : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
};

/** One event: time, what, and below it why. */
export const renderEvent = (event: StoryEvent, style: Style): string => {
  const indent = ' '.repeat(timeWidth + labelWidth + 2);
  const width = style.width - indent.length;
  const [first = '', ...rest] = wrap(event.what, width);
  const label = paintOf(event.kind, style)(labels[event.kind].padEnd(labelWidth));
  const head = `${clockText(event.atMs).padStart(timeWidth)}  ${label}${first}`;
  const why = event.why.flatMap((reason) =>
    wrap(reason, width - 2).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`),
  );
  return [
    head,
    ...rest.map((line) => indent + line),
    ...why.map((line) => indent + style.dim(line)),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
};

export const renderTitle = (title: string, seed: number, style: Style): string =>
  `${style.bold(title)}\nsimulated account and cluster, seed ${seed}; times from the start\n\n`;

const dollars = (amount: number): string => `$${amount.toFixed(amount < 1 ? 4 : 2)}`;

const secondsText = (value: number | undefined): string =>
  value === undefined ? 'none ran' : `${value} s`;

/** The closing summary. */
export const renderSummary = (summary: ScenarioSummary, style: Style): string => {
  const { pods, nodes, secondsToRunning, apiCallsByKind } = summary;
  const calls = Object.entries(apiCallsByKind)
    .filter(([, count]) => count > 0)
    .map(([call, count]) => `${call} ${count}`)
    .join(', ');
  const rows: readonly (readonly [string, string])[] = [
    [
      'Pods',
      `${pods.placed} of ${pods.total} placed (${pods.late} of them late), ${pods.lost} never ran`,
    ],
    [
      'Nodes',
      `${nodes.added} added, ${nodes.removed} removed, ${nodes.failed} failed; ${nodes.ready} Ready at the end`,
    ],
    [
      'Pending to Running',
      `p50 ${secondsText(secondsToRunning.p50)}, p99 ${secondsText(secondsToRunning.p99)}`,
    ],
    [
      'Cost',
      `${dollars(summary.cost)} in ${clockText(summary.simulatedSeconds * 1000)}; ${dollars(summary.costPerHour)} an hour at the end`,
    ],
    ['Looks', `${summary.looks} by hint, sweep or retry`],
    ['API calls', `${summary.apiCalls} (${calls === '' ? 'none' : calls})`],
  ];
  const indent = 20;
  const lines = rows.flatMap(([name, value]) =>
    wrap(value, style.width - indent).map((line, index) => {
      const label = index === 0 ? name.padEnd(indent) : ' '.repeat(indent);
      return `${index === 0 ? style.bold(label) : label}${line}\n`;
    }),
  );
  return `\n${lines.join('')}`;
};

/** One line that is written over itself, on a terminal only. */
export const renderProgress = (progress: PlayProgress): string =>
  `${clockText(progress.elapsedMs)}  ${progress.podsRunning} of ${counted(progress.pods, 'pod')} ran, ` +
  `${counted(progress.nodesReady, 'node')} Ready`;
