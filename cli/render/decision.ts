import { counted } from '#config/words.ts';
import type { ReplayOutcome } from '#operations/replay.ts';
import type { Style } from './style.ts';
import { fewOf, plain, wrapUnder } from './text.ts';

/** A decision in a few lines, one for each raise and each stuck pod, wrapped. */
export const renderDecision = (
  decision: ReplayOutcome['decision'],
  cluster: string,
  { width }: Style,
): string => {
  const { scaleUps, fits, stuck, ignored } = decision;
  const title = `${cluster}: ${counted(scaleUps.length, 'group')} to raise, ${counted(fits.length, 'pod')} fit, ${stuck.length} stuck, ${ignored.length} left alone`;
  const details = [
    ...scaleUps.map(({ group, from, to, reason }) => `${group} ${from} -> ${to}: ${reason}`),
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
