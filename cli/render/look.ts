import type { LookNow } from '#wiring/look-now.ts';
import { renderJournalled } from './decision.ts';
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
      return `${cluster}: looked at${observed}; ${outcome.raised} nodes asked for${told}`;
    }
  }
};

/** What one look from this machine came to, and the decision behind it. */
export const renderLook = (look: LookNow, style: Style): string => {
  const lines = wrapUnder('  ', plain(saidOf(look)), style.width);
  const decided = look.decision === undefined ? '' : renderJournalled(look.decision, style);
  return `${lines.join('\n')}\n${decided}`;
};
