import { describe, expect, it } from 'vitest';
import { settleIntents } from '#operations/settle-intents.ts';
import { sizeGroups } from '#operations/size-groups.ts';
import type { GroupCapacity } from '#ports/node-groups.ts';
import { PortError } from '#ports/port-error.ts';
import type { GroupInstance } from '#scaling/aws-views.ts';
import type { ScaleUp } from '#scaling/decision.ts';
import { rememberedPods } from '#scaling/launches-for-pods.ts';
import type { CapacityIntent, LedgerEntry } from '#scaling/ledger.ts';

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
  sizeGroups(ports, {
    lease,
    decision: 'demo/scale-up/1',
    scaleUps,
    takeBacks: [],
    entries: new Map(),
    podUids: new Map([['default/a', 'uid-a']]),
  });

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
      launchesFor: { 'uid-a': 1 },
      openLaunches: { 'uid-a': nowMs },
    });
  });

  it('never lowers a group that somebody raised between the look and the act, and counts no launch', async () => {
    const { ports, calls, entries } = account({ a: { min: 0, max: 9, desired: 7 } });
    expect(await raise(ports, [planned('a', 1, 4)])).toMatchObject([{ status: 'already' }]);
    expect(calls.filter((call) => call.startsWith('set'))).toEqual([]);
    expect(entries.get('a')?.launchesFor).toBeUndefined();
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

  it('names no more pods in its intent than the ledger remembers', async () => {
    const { ports, entries } = account({ a: { min: 0, max: 9, desired: 1 } }, ['a']);
    const pods = Array.from({ length: 6_000 }, (_, index) => `default/p-${index}`);
    await sizeGroups(ports, {
      lease,
      decision: 'demo/scale-up/1',
      scaleUps: [{ ...planned('a', 1, 4), pods }],
      takeBacks: [],
      entries: new Map(),
      podUids: new Map(pods.map((pod) => [pod, `uid of ${pod}`])),
    });
    expect(entries.get('a')?.intent?.pods).toHaveLength(rememberedPods);
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

const takeBack = (
  ports: ReturnType<typeof account>['ports'],
  sizes: { readonly from: number; readonly to: number },
) =>
  sizeGroups(ports, {
    lease,
    decision: 'demo/scale-up/1',
    scaleUps: [],
    takeBacks: [{ group: 'a', ...sizes, reason: 'why' }],
    entries: new Map([['a', { group: 'a', generation: 4, instances: {}, to: 9, toAtMs: nowMs }]]),
    podUids: new Map(),
  });

const instance = (id: string, over: Partial<GroupInstance> = {}): GroupInstance => ({
  id,
  zone: 'a',
  lifecycleState: 'InService',
  healthy: true,
  protectedFromScaleIn: true,
  ...over,
});

describe('taking back', () => {
  const group = {
    min: 0,
    max: 9,
    desired: 5,
    newInstancesProtected: true,
    instances: [instance('i-1'), instance('i-2')],
  };

  it('lowers desired capacity to the instances there are, and expects nothing more', async () => {
    const { ports, calls, entries } = account({ a: group });
    expect(await takeBack(ports, { from: 5, to: 2 })).toEqual([
      { group: 'a', status: 'takenBack', to: 2 },
    ]);
    expect(calls).toEqual(['write a demo/a/5', 'set a 2', 'write a to nothing']);
    expect(entries.get('a')).toEqual({ group: 'a', generation: 5, instances: {} });
  });

  it('never goes below an instance that came since the decision was made', async () => {
    const instances = [...group.instances, instance('i-3', { lifecycleState: 'Pending' })];
    const { ports, calls } = account({ a: { ...group, instances } });
    expect(await takeBack(ports, { from: 5, to: 2 })).toMatchObject([{ to: 3 }]);
    expect(calls).toContain('set a 3');
  });

  it.each([
    [
      'an instance has lost its protection',
      { instances: [instance('i-1', { protectedFromScaleIn: false })] },
    ],
    ['new instances are not protected', { newInstancesProtected: false }],
  ])('sets nothing where %s', async (_, over) => {
    const { ports, calls } = account({ a: { ...group, ...over } });
    expect(await takeBack(ports, { from: 5, to: 2 })).toMatchObject([{ status: 'notTakenBack' }]);
    expect(calls.filter((call) => call.startsWith('set'))).toEqual([]);
  });

  it('leaves a size alone that somebody has set since the decision was made', async () => {
    const { ports, calls } = account({ a: { ...group, desired: 7 } });
    expect(await takeBack(ports, { from: 5, to: 2 })).toMatchObject([{ status: 'notTakenBack' }]);
    expect(calls.filter((call) => call.startsWith('set'))).toEqual([]);
  });

  it('sets nothing where the group asks for less already', async () => {
    const { ports, calls } = account({ a: { ...group, desired: 2 } });
    expect(await takeBack(ports, { from: 5, to: 2 })).toMatchObject([{ status: 'notTakenBack' }]);
    expect(calls.filter((call) => call.startsWith('set'))).toEqual([]);
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

  it('of a raise counts as a launch for its pods once it is found done', async () => {
    const { ports } = account({ a: { min: 0, max: 9, desired: 4 } });
    const intent = { ...open.intent, pods: ['uid-a'] } as CapacityIntent;
    const [settled] = await settleIntents(ports, lease, [{ ...open, intent }]);
    expect(settled?.launchesFor).toEqual({ 'uid-a': 1 });
    // An instance of it may have been seen already: it was launched when the raise was begun.
    expect(settled?.openLaunches).toEqual({ 'uid-a': open.intent?.atMs });
  });

  it.each([
    ['done', 2],
    ['void', 5],
  ])(
    'to take back is %s where desired capacity is %i, and nothing is expected of it',
    async (_, desired) => {
      const { ports } = account({ a: { min: 0, max: 9, desired } });
      const intent = { ...open.intent, from: 5, to: 2 } as CapacityIntent;
      expect(await settleIntents(ports, lease, [{ ...open, intent }])).toEqual([
        { group: 'a', generation: 5, instances: {} },
      ]);
    },
  );

  it('costs no call where there is none', async () => {
    const { ports, calls } = account({});
    const { intent: _, ...closed } = open;
    expect(await settleIntents(ports, lease, [closed])).toEqual([closed]);
    expect(calls).toEqual([]);
  });
});
