import type { Problem } from '#cluster/problem.ts';
import { podKey } from '#cluster/snapshot.ts';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { ClusterLeases, Lease } from '#ports/cluster-leases.ts';
import type { Journal, JournalHead } from '#ports/journal.ts';
import type { Metrics } from '#ports/metrics.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUp, ScaleUpInput } from '#scaling/decision.ts';
import { modeOfGroup } from '#scaling/group-policy.ts';
import { type LedgerChange, observeLedger } from '#scaling/observe-ledger.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { decisionRecordOf } from './decision-record.ts';
import { digestOf } from './digest.ts';
import { type Failure, failureOf } from './failure.ts';
import { emitLookMetrics } from './look-metrics.ts';
import { type RaiseResult, raiseGroups } from './raise-groups.ts';
import { settleIntents } from './settle-intents.ts';
import { type RaiseFate, tellPods } from './tell-pods.ts';

export interface ScaleUpPorts {
  readonly clock: Clock;
  readonly leases: ClusterLeases;
  readonly clusterApi: ClusterApi;
  readonly nodeGroups: NodeGroups;
  readonly ledger: CapacityLedger;
  readonly journal: Journal;
  readonly metrics: Metrics;
}

export interface ScaleUpRequest {
  readonly cluster: string;
  readonly policy: ScalingPolicy;
  /** Why this look is taken, for the journal: `pod-pending`, `sweep`. */
  readonly trigger: string;
  /** Who holds the lease meanwhile: unique per invocation. */
  readonly owner: string;
  readonly engineVersion: string;
}

export interface ScaleUpOutcome {
  readonly cluster: string;
  /** `held`: somebody else acts on this cluster now; look again later. */
  readonly status: 'done' | 'held' | 'failed';
  /** Nodes asked for. */
  readonly raised: number;
  readonly groups: readonly RaiseResult[];
  /** The journal's id of the decision. */
  readonly decision?: string;
  /** Set when `failed`; also when only telling the pods did not work. */
  readonly error?: Failure;
}

/** Longer than any invocation may run, so that a lease is never lost while its holder still acts. */
const leaseTtlMs = 60_000;

/**
 * One look at one cluster: pods that fit nowhere become bigger groups, the rest is explained, and all of
 * it is journalled. Safe to repeat, to run twice at once and to be cut off anywhere.
 */
export const scaleUp = async (
  ports: ScaleUpPorts,
  request: ScaleUpRequest,
): Promise<ScaleUpOutcome> => {
  const { cluster } = request;
  const startedMs = ports.clock.nowMs();
  let lease: Lease | undefined;
  try {
    lease = await ports.leases.acquire({
      cluster,
      owner: request.owner,
      nowMs: startedMs,
      ttlMs: leaseTtlMs,
    });
    if (lease === undefined) return { cluster, status: 'held', raised: 0, groups: [] };
    const outcome = await lookAndAct(ports, request, lease);
    emitLookMetrics(ports, { ...outcome, failed: outcome.status === 'failed' }, startedMs);
    return outcome;
  } catch (thrown) {
    const outcome = failed(cluster, failureOf(thrown));
    emitLookMetrics(ports, { ...outcome, failed: true }, startedMs);
    return outcome;
  } finally {
    if (lease !== undefined) await giveBack(ports.leases, lease);
  }
};

/** A lease that cannot be given back runs out by itself; the work is done all the same. */
const giveBack = async (leases: ClusterLeases, lease: Lease): Promise<void> => {
  try {
    await leases.release(lease);
  } catch {
    return;
  }
};

const failed = (cluster: string, error: Failure): ScaleUpOutcome => ({
  cluster,
  status: 'failed',
  raised: 0,
  groups: [],
  error,
});

const lookAndAct = async (
  ports: ScaleUpPorts,
  request: ScaleUpRequest,
  lease: Lease,
): Promise<ScaleUpOutcome> => {
  const { cluster } = request;
  const world = await readWorld(ports, request, lease);
  const decision = decideScaleUp(world.input);
  const record = decisionRecordOf(request, world, decision);
  const head = world.head ?? { generation: 0, digest: '', told: {} };
  const digest = digestOf(JSON.stringify([record.decision, record.problems]));
  const changed = digest !== head.digest;
  const generation = changed ? head.generation + 1 : head.generation;
  const id = `${cluster}/scale-up/${generation}`;
  const recorded: JournalHead = { ...head, generation, digest };
  if (changed) await ports.journal.record(lease, { ...record, id }, recorded);

  const acting = decision.scaleUps.filter(
    ({ group }) => modeOfGroup(request.policy, group) === 'act',
  );
  const results = await raiseGroups(ports, {
    lease,
    decision: id,
    scaleUps: acting,
    entries: new Map(world.input.ledger.map((entry) => [entry.group, entry])),
  });
  const fates = fatesOf(decision.scaleUps, acting, results);
  await writeObservations(ports, lease, world.change, new Set(results.map(({ group }) => group)));

  // Last, since it is the one thing that is worth nothing to the next look.
  const waiting = new Set(
    [...decision.stuck, ...decision.fits]
      .map(({ pod }) => pod)
      .concat(decision.scaleUps.flatMap(({ pods }) => pods)),
  );
  const { failure: notTold, ...telling } = await tellPods(ports.clusterApi, {
    pods: world.input.snapshot.pods.filter((pod) => waiting.has(podKey(pod))),
    scaleUps: fates,
    stuck: decision.stuck,
    fits: decision.fits,
    told: head.told,
    ...(head.toldUpTo === undefined ? {} : { toldUpTo: head.toldUpTo }),
    clock: ports.clock,
  });
  const said: JournalHead = { generation, digest, ...telling };
  if (JSON.stringify(said) !== JSON.stringify(recorded)) await ports.journal.writeHead(lease, said);

  const failures = results.flatMap((result) =>
    result.status === 'failed' ? [result.failure] : [],
  );
  // One that may pass decides: then the look is taken again, and finds the others once more.
  const failure = failures.find(({ retryable }) => retryable) ?? failures[0] ?? notTold;
  return {
    cluster,
    status: failures.length > 0 ? 'failed' : 'done',
    raised: results.reduce((sum, result) => sum + nodesAdded(decision.scaleUps, result), 0),
    groups: results,
    decision: id,
    ...(failure === undefined ? {} : { error: failure }),
  };
};

const nodesAdded = (scaleUps: readonly ScaleUp[], result: RaiseResult): number => {
  if (result.status !== 'raised') return 0;
  const from = scaleUps.find(({ group }) => group === result.group)?.from ?? result.to;
  return Math.max(0, result.to - from);
};

interface ReadWorld {
  readonly input: ScaleUpInput;
  readonly problems: readonly Problem[];
  readonly head: JournalHead | undefined;
  readonly change: LedgerChange;
}

const readWorld = async (
  ports: ScaleUpPorts,
  request: ScaleUpRequest,
  lease: Lease,
): Promise<ReadWorld> => {
  const [kubernetes, groups, head] = await Promise.all([
    ports.clusterApi.snapshot(),
    readGroups(ports, request, lease),
    ports.journal.head(request.cluster),
  ]);
  const seen: ScaleUpInput = {
    cluster: request.cluster,
    snapshot: kubernetes.snapshot,
    nodeGroups: groups.view,
    ledger: groups.ledger,
    policy: request.policy,
    nowMs: ports.clock.nowMs(),
  };
  const change = observeLedger(seen);
  return {
    input: { ...seen, ledger: change.entries },
    problems: [...kubernetes.problems, ...groups.problems],
    head,
    change,
  };
};

/** Groups and ledger; read again after an open intent was settled, so that nothing is planned on what was. */
const readGroups = async (ports: ScaleUpPorts, request: ScaleUpRequest, lease: Lease) => {
  const [ledger, discovered] = await Promise.all([
    ports.ledger.read(request.cluster),
    ports.nodeGroups.discover(),
  ]);
  if (ledger.every(({ intent }) => intent === undefined)) return { ledger, ...discovered };
  const settled = await settleIntents(ports, lease, ledger);
  return { ledger: settled, ...(await ports.nodeGroups.discover()) };
};

/** What became of each planned raise; failed ones and vanished groups are left out. */
const fatesOf = (
  planned: readonly ScaleUp[],
  acting: readonly ScaleUp[],
  results: readonly RaiseResult[],
): readonly { readonly scaleUp: ScaleUp; readonly fate: RaiseFate }[] => {
  const status = new Map(results.map((result) => [result.group, result.status]));
  return planned.flatMap((scaleUp) => {
    const fate = acting.includes(scaleUp) ? status.get(scaleUp.group) : 'observed';
    return fate === 'raised' || fate === 'already' || fate === 'observed'
      ? [{ scaleUp, fate }]
      : [];
  });
};

/**
 * Keeps what was observed. Entries of groups that were just raised have been written with the raise; one
 * of a group that was not found is dropped only if the group itself is gone: unknown is not gone.
 */
const writeObservations = async (
  ports: Pick<ScaleUpPorts, 'ledger' | 'nodeGroups'>,
  lease: Lease,
  change: LedgerChange,
  raised: ReadonlySet<string>,
): Promise<void> => {
  await Promise.all([
    ...change.changed
      .filter(({ group }) => !raised.has(group))
      .map((entry) => ports.ledger.write(lease, entry)),
    ...change.removed.map(async (group) => {
      if ((await ports.nodeGroups.capacity(group)) === undefined) {
        await ports.ledger.remove(lease, group);
      }
    }),
  ]);
};
