import { describe, expect, it } from 'vitest';
import { raiseGroups } from '#operations/raise-groups.ts';
import { settleIntents } from '#operations/settle-intents.ts';
import type { GroupCapacity } from '#ports/node-groups.ts';
import { PortError } from '#ports/port-error.ts';
import type { ScaleUp } from '#scaling/decision.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';

const nowMs = Date.UTC(2026, 0, 5);
const lease = { cluster: 'demo', owner: 'me', fence: 3, expiresAtMs: nowMs + 60_000, marks: 0 };

const planned = (group: string, from: number, to: number): ScaleUp => ({
  group,
  from,
  to,
  pods: ['default/a'],
  reason: 'why',
});

type Sizes = Pick<GroupCapacity, 'min' | 'max' | 'desired'> & Partial<GroupCapacity>;

/** Groups and a ledger that note every call in order; `broken` groups refuse to be raised. */
const account = (
  capacities: Readonly<Record<string, Sizes | undefined>>,
  broken: readonly string[] = [],
) => {
  const calls: string[] = [];
  const entries = new Map<string, LedgerEntry>();
  return {
    calls,
    entries,
    ports: {
      clock: { nowMs: () => nowMs },
      nodeGroups: {
        discover: () => Promise.reject(new Error('not asked for')),
        foreign: () => Promise.reject(new Error('not asked for')),
        launches: () => Promise.reject(new Error('not asked for')),
        capacity: async (group: string): Promise<GroupCapacity | undefined> => {
          const sizes = capacities[group];
          return sizes && { instances: [], newInstancesProtected: false, ...sizes };
        },
        setDesiredCapacity: async (group: string, desired: number) => {
          calls.push(`set ${group} ${desired}`);
          if (broken.includes(group)) throw new PortError('forbidden', `${group} is not yours`);
        },
      },
      ledger: {
        read: async () => [...entries.values()],
        write: async (_: unknown, entry: LedgerEntry) => {
          calls.push(`write ${entry.group} ${entry.intent?.id ?? `to ${entry.to ?? 'nothing'}`}`);
          entries.set(entry.group, entry);
        },
        remove: async () => {},
      },
    },
  };
};

const raise = (ports: ReturnType<typeof account>['ports'], scaleUps: readonly ScaleUp[]) =>
  raiseGroups(ports, { lease, decision: 'demo/scale-up/1', scaleUps, entries: new Map() });

describe('raising groups', () => {
  it('writes the intent, raises, and then closes it', async () => {
    const { ports, calls, entries } = account({ a: { min: 0, max: 9, desired: 1 } });
    expect(await raise(ports, [planned('a', 1, 4)])).toEqual([
      { group: 'a', status: 'raised', to: 4 },
    ]);
    expect(calls).toEqual(['write a demo/a/1', 'set a 4', 'write a to 4']);
    expect(entries.get('a')).toEqual({
      group: 'a',
      generation: 1,
      instances: {},
      to: 4,
      toAtMs: nowMs,
    });
  });

  it('never lowers a group that somebody raised between the look and the act', async () => {
    const { ports, calls } = account({ a: { min: 0, max: 9, desired: 7 } });
    expect(await raise(ports, [planned('a', 1, 4)])).toMatchObject([{ status: 'already' }]);
    expect(calls.filter((call) => call.startsWith('set'))).toEqual([]);
  });

  it('stops at a maximum that was lowered meanwhile', async () => {
    const { ports, calls } = account({ a: { min: 0, max: 2, desired: 1 } });
    expect(await raise(ports, [planned('a', 1, 4)])).toEqual([
      { group: 'a', status: 'raised', to: 2 },
    ]);
    expect(calls).toContain('set a 2');
  });

  it('raises nothing under a lease that runs out, and leaves the intent open', async () => {
    const { ports, calls, entries } = account({ a: { min: 0, max: 9, desired: 1 } });
    const late = { ...ports, clock: { nowMs: () => lease.expiresAtMs - 14_000 } };
    expect(await raise(late, [planned('a', 1, 4)])).toMatchObject([
      { status: 'failed', failure: { code: 'timeout' } },
    ]);
    expect(calls.filter((call) => call.startsWith('set'))).toEqual([]);
    expect(entries.get('a')?.intent).toMatchObject({ from: 1, to: 4 });
  });

  it('raises the other groups where one refuses', async () => {
    const capacity = { min: 0, max: 9, desired: 1 };
    const { ports, entries } = account({ a: capacity, b: capacity }, ['a']);
    const results = await raise(ports, [planned('a', 1, 2), planned('b', 1, 3)]);
    expect(results).toMatchObject([
      { group: 'a', status: 'failed', failure: { code: 'forbidden', retryable: false } },
      { group: 'b', status: 'raised', to: 3 },
    ]);
    expect(entries.get('a')?.intent).toBeDefined();
    expect(entries.get('b')?.intent).toBeUndefined();
  });

  it('voids its intent where the group is gone', async () => {
    const { ports, entries } = account({});
    expect(await raise(ports, [planned('a', 1, 2)])).toEqual([{ group: 'a', status: 'gone' }]);
    expect(entries.get('a')?.intent).toBeUndefined();
  });
});

describe('an open intent', () => {
  const open: LedgerEntry = {
    group: 'a',
    generation: 5,
    instances: {},
    intent: { id: 'demo/a/5', from: 1, to: 4, atMs: nowMs - 1000, decision: 'demo/scale-up/1' },
  };

  it('is done where the group has the capacity that was asked for', async () => {
    const { ports, entries } = account({ a: { min: 0, max: 9, desired: 4 } });
    const settled = await settleIntents(ports, lease, [open]);
    const closed = { group: 'a', generation: 5, instances: {}, to: 4, toAtMs: nowMs };
    expect(settled).toEqual([closed]);
    expect(entries.get('a')).toEqual(closed);
  });

  it('is void where it has not, and keeps its number from being used again', async () => {
    const { ports, entries } = account({ a: { min: 0, max: 9, desired: 3 } });
    expect(await settleIntents(ports, lease, [open])).toEqual([
      { group: 'a', generation: 5, instances: {} },
    ]);
    expect(entries.get('a')?.intent).toBeUndefined();
  });

  it('costs no call where there is none', async () => {
    const { ports, calls } = account({});
    const { intent: _, ...closed } = open;
    expect(await settleIntents(ports, lease, [closed])).toEqual([closed]);
    expect(calls).toEqual([]);
  });
});
