import type { Problem } from '#cluster/problem.ts';
import { formatTime } from '#cluster/time.ts';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import { unlikeGroups } from '#scaling/choosing/unlike-groups.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import { type ExplainRequest, explainPod } from '#scaling/explaining/explain-pod.ts';
import type { Explanation } from '#scaling/explaining/explanation.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { type PlanRequest, plan } from './plan.ts';
import { type SeePorts, seeGroups } from './see-groups.ts';

/** The document that `outrider explain --json` prints. */
export interface ExplainedPod extends Explanation {
  readonly cluster: string;
  /** The moment that it is about, RFC 3339. */
  readonly at: string;
  readonly problems: readonly Problem[];
  /** What people should know that is no fault. */
  readonly notes: readonly string[];
}

/** Or why nothing could be said: one line with the remedy. */
export type ExplainOutcome = ExplainedPod | { readonly refused: string };

type Told = Pick<ExplainedPod, 'problems' | 'notes'>;

const explained = (input: ScaleUpInput, request: ExplainRequest, told: Told): ExplainOutcome => {
  const explanation = explainPod(input, request);
  if ('refused' in explanation) return explanation;
  const { pod, ...rest } = explanation;
  const { verdict, outcome } = rest;
  // Where a group is raised by itself, people may have thought that others like it would be too.
  const unlike = verdict === 'scaleUp' ? unlikeGroups(input, outcome?.group ?? '') : [];
  return {
    pod,
    cluster: input.cluster,
    at: formatTime(input.nowMs),
    ...rest,
    ...told,
    notes: [...told.notes, ...unlike],
  };
};

/** Explains a pod of a recorded cluster, as `plan` would plan it. */
export const explainRecorded = (
  request: PlanRequest & ExplainRequest,
  clock: Clock,
): ExplainOutcome => {
  const { pod, nodes, ...asked } = request;
  const outcome = plan(asked, clock);
  if ('refused' in outcome) return outcome;
  const { problems, notes } = outcome.plan;
  return explained(outcome.input, { pod, nodes }, { problems, notes });
};

export interface ExplainPorts extends SeePorts {
  readonly clusterApi: Pick<ClusterApi, 'snapshot'>;
  readonly ledger: Pick<CapacityLedger, 'read'>;
}

/**
 * Explains a pod of a live cluster with what Outrider remembers of it, without its lease and without changing
 * anything. Throws where the cluster, the account or the memory cannot be read.
 */
export const explainLive = async (
  ports: ExplainPorts,
  request: ExplainRequest & { readonly cluster: string; readonly policy: ScalingPolicy },
): Promise<ExplainOutcome> => {
  const { cluster, policy } = request;
  const [kubernetes, groups, ledger] = await Promise.all([
    ports.clusterApi.snapshot(),
    ports.nodeGroups.discover(),
    ports.ledger.read(cluster),
  ]);
  const { snapshot } = kubernetes;
  const seen = await seeGroups(ports, { cluster, policy, snapshot, ledger, groups });
  const input = { ...seen.input, ledger: observeLedger(seen.input).entries };
  const problems = [...kubernetes.problems, ...seen.problems];
  return explained(input, request, { problems, notes: [] });
};
