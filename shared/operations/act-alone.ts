import type { Clock } from '#ports/clock.ts';
import type { ClusterLeases, Lease } from '#ports/cluster-leases.ts';
import type { Wakeup, WakeupReason, Wakeups } from '#ports/wakeups.ts';
import { type Failure, failureOf } from './failure.ts';

export interface ActorPorts {
  readonly clock: Clock;
  readonly leases: ClusterLeases;
  readonly wakeups: Wakeups;
}

export interface ActorRequest {
  readonly cluster: string;
  /** Who holds the lease meanwhile: unique per invocation. */
  readonly owner: string;
  /** Set where a wake-up calls. */
  readonly wakeup?: { readonly because: WakeupReason; readonly step: number };
  /** No further turn is begun after it. */
  readonly untilMs: number;
}

/** What one turn under the lease came to. */
export interface Turn<Outcome> {
  readonly outcome: Outcome;
  /** It has to be taken again: by the message that called for it, and by whoever finds the marks. */
  readonly failed: boolean;
  /** Something is left that another turn gets further with. */
  readonly unfinished: boolean;
}

/**
 * `marked`: somebody else holds the lease and looks again for us. `held`: neither lease nor mark was to be
 * had, try again. `nothingLeft`: the wake-up came for a mark that has been taken care of.
 */
export type Acted<Outcome> =
  | { readonly status: 'acted'; readonly outcome: Outcome; readonly turns: number }
  | { readonly status: 'marked' | 'held' | 'nothingLeft'; readonly failure?: Failure };

/** Longer than any invocation may run, so that a lease is never lost while its holder still acts. */
export const leaseTtlMs = 60_000;
/** One that comes while somebody holds the lease is taken care of by them; more would keep it from others. */
const mostTurns = 10;
/** Between lease and mark the holder may come and go. */
const mostTries = 3;
/** A chain of wake-ups ends here; the sweep goes on. */
const mostSteps = 50;
const unfinishedAfterSeconds = 2;
/** The queue delays no message longer. */
const longestDelaySeconds = 900;

/**
 * One actor per cluster: runs `turn` under the cluster's lease, and again for marks that were left
 * meanwhile. Where somebody else holds it, leaves a mark for them. Throws what `turn` throws, after
 * giving the lease up with its marks.
 */
export const actAlone = async <Outcome>(
  ports: ActorPorts,
  request: ActorRequest,
  turn: (lease: Lease) => Promise<Turn<Outcome>>,
): Promise<Acted<Outcome>> => {
  const taken = await takeLease(ports, request);
  if (!('fence' in taken)) return taken;
  if (request.wakeup?.because === 'marked' && taken.marks === 0) {
    const release = await quietly(() => ports.leases.release(taken));
    if (release?.status !== 'marked') return { status: 'nothingLeft' };
    return takeTurns(ports, request, { lease: { ...taken, marks: release.marks }, turn });
  }
  return takeTurns(ports, request, { lease: taken, turn });
};

const takeLease = async (
  { clock, leases, wakeups }: ActorPorts,
  { cluster, owner }: ActorRequest,
): Promise<Lease | { readonly status: 'marked' | 'held'; readonly failure?: Failure }> => {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const nowMs = clock.nowMs();
    const lease = await leases.acquire({ cluster, owner, nowMs, ttlMs: leaseTtlMs });
    if (lease !== undefined) return lease;
    const mark = await leases.mark(cluster, clock.nowMs());
    if (mark === undefined) continue;
    if (mark.number > 1) return { status: 'marked' };
    // The holder may have died: then this finds the mark once the lease has run out.
    const seconds = Math.ceil((mark.heldUntilMs - clock.nowMs()) / 1000) + 1;
    const afterSeconds = Math.min(Math.max(seconds, 1), longestDelaySeconds);
    const failure = await send(wakeups, { cluster, afterSeconds, because: 'marked', step: 1 });
    return { status: 'marked', ...(failure === undefined ? {} : { failure }) };
  }
  return { status: 'held' };
};

interface Held<Outcome> {
  readonly lease: Lease;
  readonly turn: (lease: Lease) => Promise<Turn<Outcome>>;
}

const takeTurns = async <Outcome>(
  ports: ActorPorts,
  request: ActorRequest,
  held: Held<Outcome>,
): Promise<Acted<Outcome>> => {
  const { clock, leases } = ports;
  let { lease } = held;
  for (let turns = 1; ; turns += 1) {
    let came: Turn<Outcome>;
    try {
      came = await held.turn(lease);
    } catch (thrown) {
      await quietly(() => leases.abandon(lease));
      throw thrown;
    }
    const acted = { status: 'acted', outcome: came.outcome, turns } as const;
    if (came.failed) {
      await quietly(() => leases.abandon(lease));
      return acted;
    }
    const release = await quietly(() => leases.release(lease));
    const marked = release?.status === 'marked';
    if (marked && turns < mostTurns && clock.nowMs() <= request.untilMs) {
      lease = { ...lease, marks: release.marks };
      continue;
    }
    if (marked || came.unfinished) await wakeAgain(ports, request);
    if (marked) await quietly(() => leases.abandon(lease));
    return acted;
  }
};

const wakeAgain = async ({ wakeups }: ActorPorts, request: ActorRequest): Promise<void> => {
  const step = (request.wakeup?.step ?? 0) + 1;
  if (step > mostSteps) return;
  const { cluster } = request;
  const afterSeconds = unfinishedAfterSeconds;
  await send(wakeups, { cluster, afterSeconds, because: 'unfinished', step });
};

/** A wake-up that cannot be sent costs the time until the next sweep. */
const send = async (wakeups: Wakeups, wakeup: Wakeup): Promise<Failure | undefined> => {
  try {
    await wakeups.send([wakeup]);
    return undefined;
  } catch (thrown) {
    return failureOf(thrown);
  }
};

/** A lease that cannot be given back runs out by itself; the work is done all the same. */
const quietly = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await act();
  } catch {
    return undefined;
  }
};
