import { describe, expect, it } from 'vitest';
import { createAgenda } from '#operations/scenario/agenda.ts';
import type { Wakeup } from '#ports/wakeups.ts';

const lag = { hintMs: 0, hintsLost: false, clusterStaleMs: 0, groupsStaleMs: 0 };
const wakeup = (over: Partial<Wakeup> = {}): Wakeup => ({
  cluster: 'demo',
  afterSeconds: 2,
  because: 'unfinished',
  step: 3,
  ...over,
});
const failedLaunch = {
  kind: 'launchFailed',
  atMs: 5_000,
  group: 'a',
  count: 1,
  zones: [],
  instanceTypes: [],
  code: 'InsufficientInstanceCapacity',
  retryAtMs: 65_000,
} as const;

describe('the agenda of a simulated cluster', () => {
  it('delivers a wake-up at its time, with what it says', () => {
    const agenda = createAgenda(0, lag);
    agenda.send([wakeup()], 10_000);
    expect(agenda.isQuiet()).toBe(false);
    expect(agenda.nextAtMs()).toBe(12_000);
    expect(agenda.takeDue(11_999)).toBeUndefined();
    expect(agenda.takeDue(12_000)).toEqual({
      trigger: 'unfinished',
      wakeup: { because: 'unfinished', step: 3 },
    });
    expect(agenda.isQuiet()).toBe(true);
    expect(agenda.takeDue(13_000)).toBeUndefined();
  });

  it('makes one look of several messages that are due, for the one that asks for most', () => {
    const agenda = createAgenda(0, lag);
    agenda.send([wakeup({ because: 'marked', step: 1 }), wakeup()], 0);
    agenda.see([{ kind: 'podsUnschedulable', atMs: 1_000, pods: ['default/web-1'] }]);
    expect(agenda.takeDue(2_000)).toEqual({ trigger: 'pod-pending' });
    expect(agenda.isQuiet()).toBe(true);
    agenda.send([wakeup({ because: 'marked', step: 1 })], 58_000);
    // The sweep that is due then looks whatever the marks are.
    expect(agenda.takeDue(60_000)).toEqual({
      trigger: 'sweep',
      wakeup: { because: 'sweep', step: 1 },
    });
    agenda.send([wakeup({ because: 'marked', step: 1 })], 60_000);
    expect(agenda.takeDue(62_000)).toMatchObject({ trigger: 'marked' });
  });

  it('hears of a failed launch a second later, unless hints are lost', () => {
    const agenda = createAgenda(0, lag);
    agenda.see([failedLaunch]);
    expect(agenda.nextAtMs()).toBe(6_000);
    expect(agenda.takeDue(6_000)).toEqual({ trigger: 'launch-failed' });
    const deaf = createAgenda(0, { ...lag, hintsLost: true });
    deaf.see([failedLaunch]);
    expect(deaf.nextAtMs()).toBe(60_000);
  });

  it('has the message of a hint come back after a failure, and no sweep', () => {
    const agenda = createAgenda(0, lag);
    expect(agenda.failed({ trigger: 'sweep' }, 1_000)).toBe(false);
    expect(agenda.nextAtMs()).toBe(60_000);
    expect(agenda.failed({ trigger: 'pod-pending' }, 1_000)).toBe(true);
    expect(agenda.takeDue(31_000)).toEqual({ trigger: 'retry' });
  });
});
