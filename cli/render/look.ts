import type { LookNow } from '#wiring/look-now.ts';
import { renderJournalled } from './decision.ts';
import { ageText, secondsSince } from './section.ts';
import type { Style } from './style.ts';
import { plain, wrapUnder } from './text.ts';

const saidOf = ({ cluster, outcome, mode }: LookNow): string => {
  switch (outcome.status) {
    case 'marked':
      return `${cluster}: somebody else looks at it now and will look again when they are done; nothing to do here`;
    case 'held':
      return `${cluster}: somebody else holds its lease; give the command again in a few seconds`;
    case 'failed':
      return `${cluster}: the look failed: ${outcome.error?.message ?? ''}`;
    case 'done': {
      const observed = mode === 'observe' ? ' (mode observe: nothing is raised)' : '';
      const told = outcome.error === undefined ? '' : `; not done: ${outcome.error.message}`;
      const asked = outcome.raised === 0 ? 'no' : String(outcome.raised);
      const nodes = outcome.raised === 1 ? 'node' : 'nodes';
      return `${cluster}: looked at${observed}; ${asked} ${nodes} asked for${told}`;
    }
  }
};

/** What one look from this machine came to, and the decision behind it. */
export const renderLook = (look: LookNow, nowMs: number, style: Style): string => {
  const { decision, unchanged } = look;
  const lines = wrapUnder('  ', plain(saidOf(look)), style.width);
  if (decision === undefined) return `${lines.join('\n')}\n`;
  const age = ageText(secondsSince(decision.at, nowMs));
  const same = `nothing has changed since the decision of ${decision.at}, ${age} ago, which stands:`;
  return [
    ...lines,
    ...(unchanged === true ? wrapUnder('  ', plain(same), style.width) : []),
    renderJournalled(decision, style),
  ].join('\n');
};
