import type { ExplainedPod } from '#operations/explain.ts';
import { indent, section } from './section.ts';
import type { Style } from './style.ts';
import { fewOf, hanging, plain, wrapUnder } from './text.ts';

const verdicts: Readonly<Record<ExplainedPod['verdict'], string>> = {
  fits: 'fits',
  scaleUp: 'gets a new node',
  stuck: 'is stuck',
  ignored: 'is left alone',
};

const fewNodes = 6;

/** A patch is pasted: its lines are never broken. */
const patchLines = (patch: string): readonly string[] =>
  patch.split('\n').map((line) => `${indent}${indent} ${plain(line)}`);

const remedyLines = ({ remedies }: ExplainedPod, style: Style): readonly string[] =>
  remedies.flatMap(({ message, note, patch }, index) => [
    ...hanging(`${indent}${index + 1}. `, plain(message), style.width),
    ...(note === undefined ? [] : hanging(`${indent}   (`, `${plain(note)})`, style.width)),
    ...patchLines(patch),
  ]);

const nothingHelps = ({ verdict, remedies }: ExplainedPod, style: Style): readonly string[] =>
  verdict === 'stuck' && remedies.length === 0
    ? hanging(
        indent,
        'No change of one or two things was found that would get it a node.',
        style.width,
      )
    : [];

/** Subjects with the same reason are told of once. */
const reasonLines = (
  reasons: readonly { readonly subject: string; readonly message: string }[],
  style: Style,
): readonly string[] => {
  const alike = new Map<string, string[]>();
  for (const { subject, message } of reasons) {
    alike.set(message, [...(alike.get(message) ?? []), plain(subject)]);
  }
  return [...alike].flatMap(([message, subjects]) =>
    hanging(`${indent}- `, `${fewOf(subjects, fewNodes)}: ${plain(message)}`, style.width),
  );
};

/** The answer, what helps, and then the reasons. */
export const renderExplanation = (explained: ExplainedPod, style: Style): string => {
  const { pod, verdict, reason, groups, nodes = [], cluster, at } = explained;
  const head = `${pod} ${verdicts[verdict]}: ${reason.message}`;
  const groupReasons = groups.map(({ group = '', message }) => ({ subject: group, message }));
  const nodeReasons = nodes.map(({ node = '', message }) => ({ subject: node, message }));
  return [
    ...wrapUnder(indent, plain(head), style.width).map((line) => style.bold(line)),
    ...wrapUnder(indent, plain(`${cluster} at ${at}`), style.width),
    ...section(
      'What helps; each was tried out on this cluster',
      remedyLines(explained, style),
      style,
    ),
    ...section('What helps', nothingHelps(explained, style), style),
    ...section('Groups', reasonLines(groupReasons, style), style),
    ...section('Nodes', reasonLines(nodeReasons, style), style),
    '',
  ].join('\n');
};
