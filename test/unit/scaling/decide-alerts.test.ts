import { describe, expect, it } from 'vitest';
import { decide } from '../../helpers/decide.ts';
import {
  backOff,
  group,
  type InputParts,
  ledgerEntry,
  minute,
  now,
  pod,
} from '../../helpers/scaling-builders.ts';

const alerts = (parts: InputParts) => decide({ groups: [group('a')], ...parts }).alerts;

describe('an alert', () => {
  it('tells of a group whose launches failed three times in a row, also between two back-offs', () => {
    const failing = (failures: number, untilMs: number) =>
      alerts({
        ledger: [
          ledgerEntry('a', {
            backOff: backOff({ failures, sinceMs: now - 60 * minute, untilMs }),
          }),
        ],
      });
    expect(failing(2, now + minute)).toEqual([]);
    const [open] = failing(3, now + minute);
    const [ended] = failing(4, now - 1);
    expect(open).toMatchObject({
      kind: 'group-launches-fail',
      subject: 'group a',
      sinceMs: now - 60 * minute,
      summary:
        'Launches of the group a fail: 3 failures in a row since 2027-01-15T07:00:00Z (InsufficientInstanceCapacity)',
    });
    expect(open?.text).toContain('no m5.large in us-east-1a');
    expect(open?.text).toContain('describe-scaling-activities --auto-scaling-group-name a');
    expect([ended?.kind, ended?.subject, ended?.sinceMs]).toEqual([
      open?.kind,
      open?.subject,
      open?.sinceMs,
    ]);
  });

  const inVain = (names: readonly string[], over: Parameters<typeof pod>[1] = {}) => ({
    pods: names.map((name) => pod(name, over)),
    ledger: [
      ledgerEntry('a', {
        launchesFor: Object.fromEntries(names.map((name) => [`uid-${name}`, 3])),
      }),
    ],
  });

  it('tells of a pod that launches do not help, since it was made', () => {
    const [alert, ...others] = alerts(inVain(['web']));
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      kind: 'launches-without-binding',
      subject: 'pod default/web',
      sinceMs: now - minute,
      summary: 'default/web waits though 3 launches were made for it: no more are',
    });
    expect(alert?.text).toContain('kubectl -n default describe pod web');
  });

  it('stands for all pods of one controller, under the name of the oldest', () => {
    const { pods, ledger } = inVain(['web-1', 'web-2', 'web-3']);
    const aged = pods.map((one, index) => ({ ...one, createdAtMs: now - index * minute }));
    const found = alerts({ pods: aged, ledger });
    expect(found.map(({ subject, sinceMs }) => [subject, sinceMs])).toEqual([
      ['pod default/web-3', now - 2 * minute],
    ]);
    expect(found[0]?.summary).toBe(
      'default/web-3 and 2 more pods of ReplicaSet web wait though 3 launches were made for them: no more are',
    );
  });

  it('comes twenty times at most, and then says how many more there are', () => {
    const names = Array.from({ length: 23 }, (_, index) => `job-${10 + index}`);
    const { pods, ledger } = inVain(names);
    const single = pods.map(({ owner: _, ...one }) => one);
    const found = alerts({ pods: single, ledger });
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toMatchObject({
      subject: 'more pods',
      summary: expect.stringMatching(/^and 3 more: /),
    });
    expect(new Set(found.map(({ subject }) => subject)).size).toBe(21);
  });
});
