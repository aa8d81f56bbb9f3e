import { podKey } from '#cluster/snapshot.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import type { JournalHead } from '#ports/journal.ts';
import type { Metrics } from '#ports/metrics.ts';
import type { WakeupReason } from '#ports/wakeups.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUp, ScaleUpDecision } from '#scaling/decision.ts';
import { modeOfGroup } from '#scaling/group-policy.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { type ActorPorts, actAlone, type Turn } from './act-alone.ts';
import { decisionRecordOf } from './decision-record.ts';
import { digestOf } from './digest.ts';
import { type Failure, failureOf } from './failure.ts';
import { countDecision, emitDecisionMetrics, emitLookMetrics } from './look-metrics.ts';
import { type ReadPorts, type ReadWorld, readWorld } from './read-world.ts';
import { type SizeResult, sizeGroups } from './size-groups.ts';
import { type TellPorts, type Told, tellDecision } from './tell-decision.ts';
import { writeObservations } from './write-observations.ts';

export interface ScaleUpPorts extends ActorPorts, ReadPorts, TellPorts {
  readonly metrics: Metrics;
}

export interface ScaleUpRequest {
  readonly cluster: string;
  readonly policy: ScalingPolicy;
  /** Why this look is taken, for the journal: `pod-pending`, `sweep`, `unfinished`, `cli`, … */
  readonly trigger: string;
  /** Set where a message of Outrider to itself calls. */
  readonly wakeup?: { readonly because: WakeupReason; readonly step: number };
  /** Who holds the lease meanwhile: unique per invocation. */
  readonly owner: string;
  readonly engineVersion: string;
  /** No further look, for marks left meanwhile, is begun after it. Absent: 15 seconds from now. */
  readonly untilMs?: number;
}

export interface ScaleUpOutcome {
  readonly cluster: string;
  /**
   * `marked`: somebody else acts on this cluster now, and looks again for us. `held`: neither lease nor
   * mark was to be had; try again.
   */
  readonly status: 'done' | 'marked' | 'held' | 'failed';
  /** Nodes asked for. */
  readonly raised: number;
  readonly groups: readonly SizeResult[];
  /** Looks taken: more than one where somebody left a mark meanwhile. */
  readonly looks?: number;
  /** The journal's id of the decision. */
  readonly decision?: string;
  /** Set when `failed`; also when only telling the pods, or waking up again, did not work. */
  readonly error?: Failure;
}

const defaultLookingMs = 15_000;

/**
 * Looks at one cluster, alone: pods that fit nowhere become bigger groups, the rest is explained, and all of
 * it is journalled. Safe to repeat, to run many times at once and to be cut off anywhere.
 */
export const scaleUp = async (
  ports: ScaleUpPorts,
  request: ScaleUpRequest,
): Promise<ScaleUpOutcome> => {
  const { cluster, owner, wakeup } = request;
  const startedMs = ports.clock.nowMs();
  const untilMs = request.untilMs ?? startedMs + defaultLookingMs;
  const none = { cluster, raised: 0, groups: [] };
  try {
    const acted = await actAlone<ScaleUpOutcome>(
      ports,
      { cluster, owner, untilMs, ...(wakeup === undefined ? {} : { wakeup }) },
      (lease) => lookOnce({ ports, request, lease }),
    );
    switch (acted.status) {
      case 'acted':
        return { ...acted.outcome, looks: acted.turns };
      case 'nothingLeft':
        return { ...none, status: 'done', looks: 0 };
      case 'marked':
      case 'held': {
        const { status, failure } = acted;
        return { ...none, status, ...(failure === undefined ? {} : { error: failure }) };
      }
    }
  } catch (thrown) {
    emitLookMetrics(ports, { cluster, raised: 0, failed: true }, startedMs);
    return { ...none, status: 'failed', error: failureOf(thrown) };
  }
};

const lookOnce = async (look: Look): Promise<Turn<ScaleUpOutcome>> => {
  const { ports } = look;
  const startedMs = ports.clock.nowMs();
  const turn = await lookAndAct(look);
  const { cluster, raised } = turn.outcome;
  emitLookMetrics(ports, { cluster, raised, failed: turn.failed }, startedMs);
  return turn;
};

interface Look {
  readonly ports: ScaleUpPorts;
  readonly request: ScaleUpRequest;
  readonly lease: Lease;
}

const lookAndAct = async (look: Look): Promise<Turn<ScaleUpOutcome>> => {
  const { ports, request, lease } = look;
  const { cluster, policy } = request;
  // A mark stands for a hint, whatever the reason why its look is taken.
  const unlessQuiet = request.trigger === 'sweep' && lease.marks === 0;
  const world = await readWorld(ports, { cluster, policy, unlessQuiet }, lease);
  if (world === undefined) {
    const outcome: ScaleUpOutcome = { cluster, status: 'done', raised: 0, groups: [] };
    return { outcome, failed: false, unfinished: false };
  }
  const decision = decideScaleUp(world.input);
  const { id, recorded } = await journalled(look, world, decision);
  const decided = { ...look, world, decision, id };
  const sized = await size(decided);
  // Last, since it is the one thing that is worth nothing to the next look.
  const told = await tellDecision(ports, lease, { ...decided, ...sized, recorded });
  return turnOf(decided, sized, told);
};

/** A look that has come to its decision, of this id. */
interface Decided extends Look {
  readonly world: ReadWorld;
  readonly decision: ScaleUpDecision;
  readonly id: string;
}

interface Sized {
  /** The raises that were tried: those of groups in mode `act`. */
  readonly scaleUps: readonly ScaleUp[];
  readonly results: readonly SizeResult[];
}

/** Changes the groups as decided, and keeps what was observed of the others. */
const size = async ({ ports, request, lease, world, decision, id }: Decided): Promise<Sized> => {
  const acting = <T extends { readonly group: string }>(plans: readonly T[]): readonly T[] =>
    plans.filter(({ group }) => modeOfGroup(request.policy, group) === 'act');
  const scaleUps = acting(decision.scaleUps);
  const results = await sizeGroups(ports, {
    lease,
    decision: id,
    scaleUps,
    takeBacks: acting(decision.takeBacks),
    entries: new Map(world.input.ledger.map((entry) => [entry.group, entry])),
    podUids: new Map(world.input.snapshot.pods.map((pod) => [podKey(pod), pod.uid])),
  });
  await writeObservations(ports, lease, {
    change: world.change,
    written: new Set(results.map(({ group }) => group)),
  });
  emitDecisionMetrics(ports.metrics, world.input, { decision, results });
  return { scaleUps, results };
};

const turnOf = (
  { request, decision, id }: Decided,
  { scaleUps, results }: Sized,
  { notPaged, notTold, left }: Told,
): Turn<ScaleUpOutcome> => {
  const failures = results.flatMap((result) =>
    result.status === 'failed' ? [result.failure] : [],
  );
  if (notPaged !== undefined) failures.push(notPaged);
  // One that may pass decides: then the look is taken again, and finds the others once more.
  const failure = failures.find(({ retryable }) => retryable) ?? failures[0] ?? notTold;
  const raised = results.reduce((sum, result) => sum + nodesAdded(scaleUps, result), 0);
  const outcome: ScaleUpOutcome = {
    cluster: request.cluster,
    status: failures.length > 0 ? 'failed' : 'done',
    raised,
    groups: results,
    decision: id,
    ...(failure === undefined ? {} : { error: failure }),
  };
  const more = raised > 0 && decision.stuck.some(isLimited);
  return { outcome, failed: failures.length > 0, unfinished: more || left };
};

/** The limit of one decision, of which the next look does the next part. */
const isLimited = ({ reasons }: ScaleUpDecision['stuck'][number]): boolean =>
  reasons.some(({ code }) => code === 'decisionLimit');

/** Keeps the decision if it differs from the last one; the head as it then stands, and the decision's id. */
const journalled = async (
  { ports, request, lease }: Look,
  world: ReadWorld,
  decision: ScaleUpDecision,
): Promise<{ readonly id: string; readonly recorded: JournalHead }> => {
  const record = decisionRecordOf(request, world, decision);
  const head = world.head ?? { generation: 0, digest: '', told: {} };
  const digest = digestOf(JSON.stringify([record.decision, record.problems]));
  const changed = digest !== head.digest;
  const generation = changed ? head.generation + 1 : head.generation;
  const id = `${request.cluster}/scale-up/${generation}`;
  if (!changed) return { id, recorded: head };
  // Until this look has come to its end nobody may take the cluster for quiet.
  const { quiet: _, ...rest } = head;
  const recorded: JournalHead = { ...rest, generation, digest };
  await ports.journal.record(lease, { ...record, id }, recorded);
  countDecision(ports.metrics, request.cluster);
  return { id, recorded };
};

const nodesAdded = (scaleUps: readonly ScaleUp[], result: SizeResult): number => {
  if (result.status !== 'raised') return 0;
  const planned = scaleUps.find(({ group }) => group === result.group);
  if (planned === undefined) return 0;
  return planned.nodes ?? Math.max(0, result.to - planned.from);
};
