import { describe, expect, it } from 'vitest';
import { underWay } from '#scaling/under-way.ts';
import { ledgerEntry, now } from '../../helpers/scaling-builders.ts';

const intent = { id: 'demo/a/1', from: 2, to: 3, atMs: now, decision: 'd' };

describe('what is under way in a group', () => {
  it('is nothing where all that was begun has come up or failed', () => {
    const instances = {
      'i-1': { firstSeenMs: now, usableAtMs: now },
      'i-2': { firstSeenMs: now, failedAtMs: now },
    };
    expect(underWay(ledgerEntry('a', { instances }))).toEqual([]);
  });

  it('is an open change, a raise that does not show, launches owed and instances that start', () => {
    const entry = ledgerEntry('a', {
      intent,
      to: 4,
      toAtMs: now + 1,
      missingSinceMs: now + 2,
      instances: { 'i-1': { firstSeenMs: now + 3 } },
    });
    expect(underWay(entry)).toEqual([
      { kind: 'raise', sinceMs: now, intent },
      { kind: 'confirmed', sinceMs: now + 1 },
      { kind: 'launch', sinceMs: now + 2 },
      { kind: 'start', sinceMs: now + 3, instance: 'i-1' },
    ]);
  });

  it('tells a taking back from a raise', () => {
    const down = { ...intent, to: 1 };
    expect(underWay(ledgerEntry('a', { intent: down }))).toMatchObject([{ kind: 'takeBack' }]);
  });

  it('holds a confirmed raise of which the time is not known', () => {
    expect(underWay(ledgerEntry('a', { to: 4 }))).toEqual([{ kind: 'confirmed' }]);
  });
});
