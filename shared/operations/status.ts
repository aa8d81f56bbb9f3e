import { compareText } from '#cluster/order.ts';
import { formatTime } from '#cluster/time.ts';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { ClusterLeases, LeaseState } from '#ports/cluster-leases.ts';
import type { DecisionSummary, Journal } from '#ports/journal.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import type { NodeGroupsView } from '#scaling/aws-views.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import { groupStatesOf } from '#scaling/group-state.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { type UnderWay, underWay } from '#scaling/under-way.ts';
import { failureOf } from './failure.ts';
import { type LastLook, lastLookOf } from './last-look.ts';

export interface StatusPorts {
  readonly clock: Clock;
  readonly leases: Pick<ClusterLeases, 'read'>;
  readonly ledger: Pick<CapacityLedger, 'read'>;
  readonly journal: Pick<Journal, 'list'>;
  readonly clusterApi: Pick<ClusterApi, 'snapshot'>;
  readonly nodeGroups: Pick<NodeGroups, 'discover'>;
}

export interface StatusRequest {
  readonly cluster: string;
  readonly policy: ScalingPolicy;
  /** How many decisions are told, newest first. */
  readonly decisions: number;
}

/** The document that `outrider status --json` prints of one cluster. Times are RFC 3339. */
export interface ClusterStatus {
  readonly cluster: string;
  readonly mode: ScalingPolicy['mode'];
  /** Null is unknown: what it is counted from could not be reached. */
  readonly nodes: NodeCounts;
  readonly pendingPods: number | null;
  readonly work: readonly Work[];
  /** Nothing of this version destroys, so there is nothing to break; always empty. */
  readonly breakers: readonly [];
  readonly backOffs: readonly GroupBackOff[];
  readonly lease: LeaseStatus;
  /** Absent where none is known. */
  readonly lastLook?: { readonly at: string; readonly result: LastLook['result'] };
  /** The oldest of `work`, which should never grow old. */
  readonly oldestWork?: Work;
  /** Newest first. */
  readonly decisions: readonly DecisionLine[];
  /** Halves of the world that could not be reached, and why. */
  readonly unreachable: readonly Unreachable[];
}

export interface NodeCounts {
  readonly ready: number | null;
  readonly coming: number | null;
  /** Nothing of this version drains; always 0 where nodes are known. */
  readonly draining: number | null;
  readonly cordoned: number | null;
}

/** Something begun and not finished. */
export interface Work {
  /** `raise`, `takeBack`: an open intent; `launch`: AWS owes instances; `start`: an instance without a usable Node. */
  readonly kind: 'raise' | 'takeBack' | 'launch' | 'start';
  readonly group: string;
  readonly since: string;
  readonly from?: number;
  readonly to?: number;
  readonly instance?: string;
  readonly decision?: string;
}

export interface GroupBackOff {
  readonly group: string;
  /** Over, but remembered: the next failure counts on from it. */
  readonly over: boolean;
  readonly failures: number;
  readonly since: string;
  readonly until: string;
  readonly code: string;
  readonly message: string;
}

export interface LeaseStatus {
  /** Absent while it is free. */
  readonly holder?: string;
  readonly until?: string;
  /** Its time is over and nobody gave it back: that holder died. */
  readonly expired?: true;
  readonly marks: number;
}

export interface DecisionLine {
  readonly id: string;
  readonly at: string;
  readonly mode: ScalingPolicy['mode'];
  readonly trigger: string;
  readonly engineVersion: string;
  readonly said: string;
}

export interface Unreachable {
  readonly what: 'API server' | 'Auto Scaling groups';
  readonly code: string;
  readonly message: string;
}

/**
 * How one cluster is doing, without its lease and without changing anything. What Outrider remembers must
 * be readable (throws otherwise); an API server or an account that does not answer is told.
 */
export const status = async (
  ports: StatusPorts,
  request: StatusRequest,
): Promise<ClusterStatus> => {
  const { cluster, policy } = request;
  const [ledger, lease, decisions, kubernetes, groups] = await Promise.all([
    ports.ledger.read(cluster),
    ports.leases.read(cluster),
    ports.journal.list(cluster, request.decisions),
    reached('API server', () => ports.clusterApi.snapshot()),
    reached('Auto Scaling groups', () => ports.nodeGroups.discover()),
  ]);
  const nowMs = ports.clock.nowMs();
  const snapshot = kubernetes.read?.snapshot;
  const view = groups.read?.view;
  const coming =
    snapshot === undefined || view === undefined
      ? null
      : comingIn({ cluster, snapshot, nodeGroups: view, ledger, policy, nowMs });
  const work = workIn(ledger, view);
  const [oldestWork] = work;
  const lastLook = lastLookOf(lease, nowMs);
  return {
    cluster,
    mode: policy.mode,
    nodes: {
      ready: snapshot?.nodes.filter(({ ready }) => ready === 'True').length ?? null,
      coming,
      draining: snapshot === undefined ? null : 0,
      cordoned: snapshot?.nodes.filter(({ unschedulable }) => unschedulable).length ?? null,
    },
    pendingPods:
      snapshot?.pods.filter(({ phase, nodeName }) => phase === 'Pending' && nodeName === undefined)
        .length ?? null,
    work,
    breakers: [],
    backOffs: ledger.flatMap((entry) => backOffOf(entry, nowMs)),
    lease: leaseOf(lease, nowMs),
    ...(lastLook === undefined
      ? {}
      : { lastLook: { at: formatTime(lastLook.atMs), result: lastLook.result } }),
    ...(oldestWork === undefined ? {} : { oldestWork }),
    decisions: decisions.map(decisionLineOf),
    unreachable: [kubernetes, groups].flatMap(({ failed }) => failed ?? []),
  };
};

interface Reached<T> {
  readonly read?: T;
  readonly failed?: Unreachable;
}

const reached = async <T>(
  what: Unreachable['what'],
  read: () => Promise<T>,
): Promise<Reached<T>> => {
  try {
    return { read: await read() };
  } catch (error) {
    const { code, message } = failureOf(error);
    return { failed: { what, code, message } };
  }
};

const comingIn = (input: ScaleUpInput): number =>
  groupStatesOf(input).reduce((sum, { coming }) => sum + coming.count, 0);

/** Oldest first. Of groups that are gone nothing is told. */
const workIn = (
  ledger: readonly LedgerEntry[],
  view: NodeGroupsView | undefined,
): readonly Work[] => {
  const known = view && new Set(view.groups.map(({ name }) => name));
  return ledger
    .filter(({ group }) => known?.has(group) ?? true)
    .flatMap((entry) => underWay(entry).flatMap((one) => workOf(entry.group, one)))
    .sort((a, b) => compareText(a.since, b.since));
};

const workOf = (group: string, one: UnderWay): readonly Work[] => {
  // A raise that AWS confirmed is done; what it brings is told as launches and starts.
  if (one.kind === 'confirmed') return [];
  const work = { kind: one.kind, group, since: formatTime(one.sinceMs) };
  if (one.kind === 'launch') return [work];
  if (one.kind === 'start') return [{ ...work, instance: one.instance }];
  const { from, to, decision } = one.intent;
  return [{ ...work, from, to, decision }];
};

const backOffOf = ({ group, backOff }: LedgerEntry, nowMs: number): readonly GroupBackOff[] =>
  backOff === undefined
    ? []
    : [
        {
          group,
          over: backOff.untilMs <= nowMs,
          failures: backOff.failures,
          since: formatTime(backOff.atMs),
          until: formatTime(backOff.untilMs),
          code: backOff.code,
          message: backOff.message,
        },
      ];

const leaseOf = (lease: LeaseState | undefined, nowMs: number): LeaseStatus => ({
  ...(lease?.holder === undefined
    ? {}
    : {
        holder: lease.holder.owner,
        until: formatTime(lease.holder.expiresAtMs),
        ...(lease.holder.expiresAtMs <= nowMs ? { expired: true as const } : {}),
      }),
  marks: lease?.marks ?? 0,
});

/** A decision in a list, as commands print it. */
export const decisionLineOf = (summary: DecisionSummary): DecisionLine => ({
  id: summary.id,
  at: formatTime(summary.atMs),
  mode: summary.mode,
  trigger: summary.trigger,
  engineVersion: summary.engineVersion,
  said: summary.said,
});
