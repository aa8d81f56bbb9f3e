import { stringify } from 'yaml';
import type { Disagreement } from './compare-scene.ts';
import type { Scene } from './scene.ts';
import type { Verdict } from './verdict.ts';

/** A disagreement for people: the objects as YAML, and what each side says. */
export const disagreementText = (scene: Scene, found: Disagreement): string =>
  [
    `They disagree (${scene.name}):`,
    ...found.differences.map((line) => `  ${line}`),
    `The scheduler says: ${verdictText(found.scheduler)}`,
    `The engine says:    ${verdictText(found.engine)}`,
    '# The pod that is asked about',
    stringify(found.pod.object).trimEnd(),
    ...scene.cluster.flatMap(({ object, status, leaving }) => [
      '---',
      ...(status === undefined ? [] : [`# with the status ${JSON.stringify(status)}`]),
      ...(leaving === true ? ['# being deleted'] : []),
      stringify(object).trimEnd(),
    ]),
    '',
  ].join('\n');

export const verdictText = ({ passed, nodes, rejected, reasons, error }: Verdict): string => {
  if (error !== undefined) return `error: ${error}`;
  if (rejected !== undefined) return `none of ${nodes} nodes: ${rejected}`;
  const counts = Object.entries(reasons)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, count]) => `${count} ${reason}`);
  return [`${passed.length} of ${nodes} nodes pass`, ...counts].join(', ');
};
