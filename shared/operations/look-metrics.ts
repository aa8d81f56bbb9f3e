import { podKey } from '#cluster/snapshot.ts';
import type { Clock } from '#ports/clock.ts';
import type { Metric, Metrics } from '#ports/metrics.ts';
import type { ScaleUpDecision, ScaleUpInput } from '#scaling/decision.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import type { MetricName } from '#scaling/metric-name.ts';
import { underWay } from '#scaling/under-way.ts';
import type { SizeResult } from './size-groups.ts';

/** The one metric that the alarm of each cluster watches. */
export const countLookFailed = (metrics: Metrics, cluster: string, failed: boolean): void =>
  metrics.emit({
    name: 'LooksFailed',
    value: failed ? 1 : 0,
    unit: 'Count',
    dimensions: { cluster },
  });

/** Counts a decision that differs from the one before, as the journal does. */
export const countDecision = (metrics: Metrics, cluster: string): void =>
  metrics.emit({ name: 'Decisions', value: 1, unit: 'Count', dimensions: { cluster } });

/** A relay's sign of life; an alarm rings when they stop. */
export const countHeartbeat = (metrics: Metrics, cluster: string): void =>
  metrics.emit({ name: 'RelayHeartbeats', value: 1, unit: 'Count', dimensions: { cluster } });

/** Counts what was sent to AWS, for comparison with its quotas. */
export const countApiCalls = (metrics: Metrics, calls: ReadonlyMap<string, number>): void => {
  for (const [api, value] of calls) {
    metrics.emit({ name: 'ApiCalls', value, unit: 'Count', dimensions: { api } });
  }
};

/** Counts one look at one cluster: nodes asked for, whether it failed, how long it took. */
export const emitLookMetrics = (
  ports: { readonly clock: Clock; readonly metrics: Metrics },
  look: { readonly cluster: string; readonly raised: number; readonly failed: boolean },
  startedMs: number,
): void => {
  const dimensions = { cluster: look.cluster };
  ports.metrics.emit({ name: 'NodesRequested', value: look.raised, unit: 'Count', dimensions });
  countLookFailed(ports.metrics, look.cluster, look.failed);
  ports.metrics.emit({
    name: 'LookDuration',
    value: ports.clock.nowMs() - startedMs,
    unit: 'Milliseconds',
    dimensions,
  });
};

/**
 * What a decision tells of the cluster. Nothing is emitted for a zero: CloudWatch charges for each metric
 * by the hour in which it is sent, and most clusters have nothing to tell most of the time.
 */
export const emitDecisionMetrics = (
  metrics: Metrics,
  input: ScaleUpInput,
  did: { readonly decision: ScaleUpDecision; readonly results: readonly SizeResult[] },
): void => {
  const { cluster, nowMs } = input;
  const emit = (name: MetricName, value: number, more: Partial<Metric> = {}): void => {
    if (value <= 0) return;
    metrics.emit({ name, value, unit: 'Count', dimensions: { cluster }, ...more });
  };
  for (const [reason, pods] of pendingByReason(did.decision)) {
    emit('PendingPods', pods, { dimensions: { cluster, reason } });
  }
  const backedOff = input.ledger.filter(({ backOff }) => (backOff?.untilMs ?? 0) > nowMs);
  emit('GroupsBackedOff', backedOff.length);
  emit('NodesRefused', did.decision.problems.filter(isRefusal).length);
  const sinceMs = oldestExpectationMs(input.ledger);
  if (sinceMs !== undefined) {
    emit('LedgerAgeSeconds', Math.round((nowMs - sinceMs) / 1000), { unit: 'Seconds' });
  }
  const seconds = secondsToRaise(input, did);
  if (seconds !== undefined) emit('SecondsToRaise', seconds, { unit: 'Seconds' });
};

const isRefusal = ({ code }: { readonly code: string }): boolean =>
  code === 'foreignInstance' || code === 'instanceClaimedTwice';

/** A stuck pod counts under its first reason. */
const pendingByReason = (decision: ScaleUpDecision): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const add = (reason: string, pods: number) =>
    counts.set(reason, (counts.get(reason) ?? 0) + pods);
  for (const { pods } of decision.scaleUps) add('scaleUp', pods.length);
  add('waitsForNode', decision.fits.length);
  for (const { reasons } of decision.stuck) add(reasons[0]?.code ?? 'unknown', 1);
  return counts;
};

/** Since when the oldest thing is expected that has not come: a raise, a launch, a usable node. */
const oldestExpectationMs = (ledger: readonly LedgerEntry[]): number | undefined => {
  const times = ledger.flatMap(underWay).flatMap(({ sinceMs }) => sinceMs ?? []);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
};

/** From the scheduler's word that a pod fits nowhere to the raise for it; the longest of this look. */
const secondsToRaise = (
  { snapshot, nowMs }: ScaleUpInput,
  did: { readonly decision: ScaleUpDecision; readonly results: readonly SizeResult[] },
): number | undefined => {
  const raised = new Set(
    did.results.flatMap(({ group, status }) => (status === 'raised' ? [group] : [])),
  );
  const helped = new Set(
    did.decision.scaleUps.flatMap(({ group, pods }) => (raised.has(group) ? pods : [])),
  );
  const waits = snapshot.pods.flatMap((pod) => {
    const sinceMs = pod.scheduled?.sinceMs;
    return sinceMs === undefined || !helped.has(podKey(pod)) ? [] : [nowMs - sinceMs];
  });
  return waits.length === 0 ? undefined : Math.max(1, Math.round(maximum(waits) / 1000));
};

const maximum = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0);
