import type { Problem } from '#cluster/problem.ts';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { Clock } from '#ports/clock.ts';
import type { Recording } from '#ports/recordings.ts';
import { chooseGroups, type PlannedCluster } from '#scaling/choose-groups.ts';
import { costOfPlan } from '#scaling/cost-of-plan.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type {
  Fit,
  IgnoredPod,
  Reason,
  ScaleUp,
  ScaleUpInput,
  StuckPod,
} from '#scaling/decision.ts';
import { readAwsObjects, regionOfGroups } from '#scaling/read-aws-objects.ts';

export interface PlanRequest {
  readonly recording: Recording;
  /** Of the configuration; empty where there is none. */
  readonly clusters: readonly PlannedCluster[];
  /** The cluster to plan for; needed where the configuration names several. */
  readonly cluster?: string;
  /** The clock of the plan; absent: the newest moment in the recording. */
  readonly nowMs?: number;
}

/** The document that `outrider plan --json` prints. */
export interface Plan {
  readonly scaleUps: readonly ScaleUp[];
  readonly fits: readonly Fit[];
  readonly stuck: readonly StuckPod[];
  readonly scaleDowns: readonly [];
  readonly blockers: readonly [];
  readonly ignored: readonly IgnoredPod[];
  readonly blockedGroups: readonly Reason[];
  readonly problems: readonly Problem[];
  readonly summary: PlanSummary;
}

export interface PlanSummary {
  /** Every Pending pod looked at, whatever became of it. */
  readonly pendingPods: number;
  readonly newNodes: number;
  readonly removedNodes: number;
  /** Dollars; absent where a price is missing. */
  readonly hourlyCostBefore?: number;
  readonly hourlyCostAfter?: number;
  readonly milliseconds: number;
}

export type PlanOutcome =
  | { readonly plan: Plan; readonly input: ScaleUpInput; readonly notes: readonly string[] }
  /** Nothing could be done: one line with the remedy. */
  | { readonly refused: string };

/**
 * What the deployed function would decide on a recorded cluster: the same decision, with an empty
 * ledger. Broken objects are named in `problems`; the rest is planned.
 */
export const plan = (request: PlanRequest, clock: Clock): PlanOutcome => {
  const startedMs = clock.nowMs();
  const { recording } = request;
  const kubernetes = readClusterObjects(
    recording.objects.map(({ file, content }) => ({ file, object: content })),
  );
  const aws = readAwsObjects(recording.aws);
  const chosen = chooseGroups(aws.groups, request.clusters, request.cluster);
  if ('refused' in chosen) return chosen;
  const input: ScaleUpInput = {
    cluster: chosen.cluster,
    snapshot: kubernetes.snapshot,
    nodeGroups: {
      region: regionOfGroups(chosen.groups) ?? 'unknown',
      groups: chosen.groups,
      launchTemplates: aws.launchTemplates,
      instanceTypes: aws.instanceTypes,
    },
    ledger: [],
    policy: chosen.policy,
    nowMs: request.nowMs ?? recording.newestMs ?? startedMs,
  };
  const decision = decideScaleUp(input);
  const cost = costOfPlan(recording.prices, input, decision.scaleUps);
  const { scaleUps, fits, stuck, ignored, blockedGroups } = decision;
  const pods = scaleUps.reduce((sum, scaleUp) => sum + scaleUp.pods.length, 0);
  return {
    input,
    notes: [...recording.notes, ...chosen.notes],
    plan: {
      scaleUps,
      fits,
      stuck,
      scaleDowns: [],
      blockers: [],
      ignored,
      blockedGroups,
      problems: [
        ...recording.problems,
        ...kubernetes.problems,
        ...aws.problems,
        ...cost.problems,
        ...decision.problems,
      ],
      summary: {
        pendingPods: pods + fits.length + stuck.length + ignored.length,
        newNodes: scaleUps.reduce((sum, { from, to }) => sum + to - from, 0),
        removedNodes: 0,
        ...(cost.before === undefined ? {} : { hourlyCostBefore: cost.before }),
        ...(cost.after === undefined ? {} : { hourlyCostAfter: cost.after }),
        milliseconds: Math.max(0, Math.round(clock.nowMs() - startedMs)),
      },
    },
  };
};
