import { counted } from '#config/words.ts';
import type { ReplayOutcome } from '#operations/replay.ts';
import { fewOf, plain } from './text.ts';

/** A decision in a few lines, one for each raise and each stuck pod. */
export const renderDecision = (decision: ReplayOutcome['decision'], cluster: string): string => {
  const { scaleUps, fits, stuck, ignored } = decision;
  return [
    `${plain(cluster)}: ${counted(scaleUps.length, 'group')} to raise, ${counted(fits.length, 'pod')} fit, ${stuck.length} stuck, ${ignored.length} left alone`,
    ...scaleUps.map(({ group, from, to, reason }) => `  ${group} ${from} -> ${to}: ${reason}`),
    ...stuck.map(
      ({ pod, reasons }) =>
        `  ${pod} stuck: ${fewOf(
          reasons.map(({ group, node, message }) => `${group ?? node ?? ''} ${message}`.trim()),
          3,
        )}`,
    ),
    '',
  ]
    .map(plain)
    .join('\n');
};
