import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryClusterLeases } from '#adapters/memory/memory-cluster-leases.ts';
import { memoryWakeups } from '#adapters/memory/memory-wakeups.ts';
import { type ActorRequest, actAlone, leaseTtlMs, type Turn } from '#operations/act-alone.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import { PortError } from '#ports/port-error.ts';
import type { Wakeup } from '#ports/wakeups.ts';

const startMs = Date.UTC(2026, 0, 5);

const setUp = () => {
  let nowMs = startMs;
  const leases = memoryClusterLeases();
  const wakeups = memoryWakeups();
  return {
    leases,
    wakeups,
    ports: { clock: { nowMs: () => nowMs }, leases, wakeups },
    pass: (ms: number) => {
      nowMs += ms;
    },
    mark: () => leases.mark('demo', nowMs),
    hold: (owner: string) => leases.acquire({ cluster: 'demo', owner, nowMs, ttlMs: leaseTtlMs }),
  };
};

const request = (owner: string, over: Partial<ActorRequest> = {}): ActorRequest => ({
  cluster: 'demo',
  owner,
  untilMs: startMs + 15_000,
  ...over,
});

const done: Turn<string> = { outcome: 'done', failed: false, unfinished: false };
const turnOf = (over: Partial<Turn<string>> = {}) => Promise.resolve({ ...done, ...over });

const givenUp = { takenAtMs: expect.any(Number) };
const ended = { ...givenUp, doneAtMs: expect.any(Number) };

describe('acting alone', () => {
  it('takes one turn and gives the lease back', async () => {
    const { ports, leases } = setUp();
    const acted = await actAlone(ports, request('a'), () => turnOf());
    expect(acted).toEqual({ status: 'acted', outcome: 'done', turns: 1 });
    expect(await leases.read('demo')).toEqual({ fence: 1, marks: 0, ...ended });
  });

  it('leaves a mark where somebody else acts, and wakes up once their lease would have run out', async () => {
    const { ports, hold, wakeups } = setUp();
    await hold('holder');
    const turns: string[] = [];
    for (const owner of ['a', 'b', 'c']) {
      const acted = await actAlone(ports, request(owner), () => {
        turns.push(owner);
        return turnOf();
      });
      expect(acted).toEqual({ status: 'marked' });
    }
    expect(turns).toEqual([]);
    const expected: Wakeup = { cluster: 'demo', afterSeconds: 61, because: 'marked', step: 1 };
    expect(wakeups.take()).toEqual([expected]);
  });

  it('takes another turn for a mark that was left during the first', async () => {
    const { ports, leases, mark } = setUp();
    let turns = 0;
    const acted = await actAlone(ports, request('a'), async () => {
      turns += 1;
      if (turns === 1) await mark();
      return turnOf({ outcome: `turn ${turns}` });
    });
    expect(acted).toEqual({ status: 'acted', outcome: 'turn 2', turns: 2 });
    expect(await leases.read('demo')).toEqual({ fence: 1, marks: 0, ...ended });
  });

  it('does not act for a mark that the turn began after', async () => {
    const { ports, hold, mark, pass } = setUp();
    await hold('dead');
    await mark();
    pass(leaseTtlMs + 1);
    const acted = await actAlone(ports, request('a'), () => turnOf());
    expect(acted).toMatchObject({ turns: 1 });
  });

  it('leaves marks it has no time for to a wake-up and the next holder', async () => {
    const { ports, leases, mark, pass, wakeups } = setUp();
    const acted = await actAlone(ports, request('a'), async () => {
      await mark();
      pass(16_000);
      return turnOf();
    });
    expect(acted).toMatchObject({ status: 'acted', turns: 1 });
    expect(wakeups.take()).toEqual([
      { cluster: 'demo', afterSeconds: 2, because: 'unfinished', step: 1 },
    ]);
    expect(await leases.read('demo')).toEqual({ fence: 1, marks: 1, ...givenUp });
    const next = await actAlone(ports, request('b'), () => turnOf());
    expect(next).toMatchObject({ turns: 1 });
    expect(await leases.read('demo')).toEqual({ fence: 2, marks: 0, ...ended });
  });

  it('does not go on for ever where marks keep coming', async () => {
    const { ports, mark, wakeups } = setUp();
    const acted = await actAlone(ports, request('a'), async () => {
      await mark();
      return turnOf();
    });
    expect(acted).toMatchObject({ status: 'acted', turns: 10 });
    expect(wakeups.take()).toMatchObject([{ because: 'unfinished' }]);
  });

  it('keeps the marks of a turn that failed or threw, for whoever comes next', async () => {
    const { ports, leases, mark } = setUp();
    const failing = async () => {
      await mark();
      return turnOf({ failed: true });
    };
    expect(await actAlone(ports, request('a'), failing)).toMatchObject({ status: 'acted' });
    expect(await leases.read('demo')).toEqual({ fence: 1, marks: 1, ...givenUp });
    const throwing = () => Promise.reject(new PortError('unavailable', 'gone'));
    await expect(actAlone(ports, request('a'), throwing)).rejects.toThrow('gone');
    expect(await leases.read('demo')).toEqual({ fence: 2, marks: 1, ...givenUp });
  });

  it('wakes up for what is unfinished, counting the steps, and ends the chain at some point', async () => {
    const { ports, wakeups } = setUp();
    const unfinished = () => turnOf({ unfinished: true });
    await actAlone(ports, request('a'), unfinished);
    expect(wakeups.take()).toMatchObject([{ because: 'unfinished', step: 1 }]);
    const wakeup = { because: 'unfinished', step: 49 } as const;
    await actAlone(ports, request('a', { wakeup }), unfinished);
    expect(wakeups.take()).toMatchObject([{ step: 50 }]);
    await actAlone(ports, request('a', { wakeup: { ...wakeup, step: 50 } }), unfinished);
    expect(wakeups.take()).toEqual([]);
  });

  it('does nothing for a wake-up whose mark has been taken care of', async () => {
    const { ports, leases } = setUp();
    const wakeup = { because: 'marked', step: 1 } as const;
    const acted = await actAlone(ports, request('a', { wakeup }), () =>
      Promise.reject(new Error('a turn')),
    );
    expect(acted).toEqual({ status: 'nothingLeft' });
    expect(await leases.read('demo')).toEqual({ fence: 1, marks: 0, ...ended });
  });

  it('acts for a mark that is left while a wake-up without one gives the lease back', async () => {
    const { ports, leases, mark } = setUp();
    let released = 0;
    const late = {
      ...leases,
      release: async (lease: Lease) => {
        released += 1;
        if (released === 1) await mark();
        return leases.release(lease);
      },
    };
    const wakeup = { because: 'marked', step: 1 } as const;
    const acted = await actAlone({ ...ports, leases: late }, request('a', { wakeup }), () =>
      turnOf(),
    );
    expect(acted).toMatchObject({ status: 'acted', turns: 1 });
    expect(await leases.read('demo')).toEqual({ fence: 1, marks: 0, ...ended });
  });

  it('acts for a wake-up whose mark was left with a holder that died', async () => {
    const { ports, hold, mark, pass } = setUp();
    await hold('dead');
    await mark();
    pass(leaseTtlMs + 1);
    const wakeup = { because: 'marked', step: 1 } as const;
    expect(await actAlone(ports, request('a', { wakeup }), () => turnOf())).toMatchObject({
      status: 'acted',
    });
  });

  it('tells that its wake-up could not be sent, and leaves the mark all the same', async () => {
    const { ports, hold, leases } = setUp();
    await hold('holder');
    const wakeups = { send: () => Promise.reject(new PortError('forbidden', 'SendMessage')) };
    expect(await actAlone({ ...ports, wakeups }, request('a'), () => turnOf())).toMatchObject({
      status: 'marked',
      failure: { code: 'forbidden' },
    });
    expect(await leases.read('demo')).toMatchObject({ marks: 1 });
  });
});

describe('acting alone, many at once', () => {
  it('never overlaps, and whatever came before the last turn began was seen by it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 20 }),
        async (arrivals, lengths) => {
          const { ports, leases } = setUp();
          let acting = 0;
          let news = 0;
          let seen = 0;
          let turns = 0;
          const ticks = async (count: number): Promise<void> => {
            for (let tick = 0; tick < count; tick += 1) await Promise.resolve();
          };
          const actor = async (arrival: number, index: number): Promise<void> => {
            await ticks(arrival);
            news += 1;
            const acted = await actAlone(ports, request(`owner-${index}`), async () => {
              acting += 1;
              expect(acting).toBe(1);
              const read = news;
              await ticks(lengths[turns++ % lengths.length] ?? 0);
              seen = Math.max(seen, read);
              acting -= 1;
              return turnOf();
            });
            // Nobody leaves without the lease or a mark, so that every message may be acknowledged.
            if (acted.status === 'held') await actor(0, index + 100);
          };
          await Promise.all(arrivals.map(actor));
          expect(seen).toBe(news);
          expect(await leases.read('demo')).toMatchObject({ marks: 0 });
        },
      ),
    );
  });
});
