import { clusterKinds } from '#cluster/cluster-kinds.ts';
import { kindsThatMatter } from '#cluster/kinds-that-matter.ts';
import { firstProblemLine, type Problem } from '#cluster/problem.ts';
import { type ClusterReading, readClusterObjects } from '#cluster/read-cluster-objects.ts';
import { formatTime } from '#cluster/time.ts';
import type { Clock } from '#ports/clock.ts';
import type { Recording } from '#ports/recordings.ts';
import { chooseGroups, type PlannedCluster } from '#scaling/choose-groups.ts';
import { costOfPlan } from '#scaling/cost-of-plan.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import {
  type Fit,
  type IgnoredPod,
  nodesOf,
  type Reason,
  type ScaleUp,
  type ScaleUpInput,
  type StuckPod,
} from '#scaling/decision.ts';
import { readPrices } from '#scaling/prices.ts';
import { readAwsObjects, regionOfGroups } from '#scaling/read-aws-objects.ts';

export interface PlanRequest {
  readonly recording: Recording;
  /** Of the configuration; empty where there is none. */
  readonly clusters: readonly PlannedCluster[];
  /** Of a configuration that is there and cannot be used: the plan is by the default policy. */
  readonly configurationProblems?: readonly Problem[];
  /** The cluster to plan for; needed where the configuration names several. */
  readonly cluster?: string;
  /** The clock of the plan; absent: the newest moment in the recording. */
  readonly nowMs?: number;
}

/** The document that `outrider plan --json` prints. */
export interface Plan {
  readonly cluster: string;
  /** The moment that the plan is for, RFC 3339. */
  readonly at: string;
  readonly scaleUps: readonly ScaleUp[];
  readonly fits: readonly Fit[];
  readonly stuck: readonly StuckPod[];
  readonly scaleDowns: readonly [];
  readonly blockers: readonly [];
  readonly ignored: readonly IgnoredPod[];
  readonly blockedGroups: readonly Reason[];
  readonly problems: readonly Problem[];
  /** What people should know that is no fault. */
  readonly notes: readonly string[];
  readonly summary: PlanSummary;
}

export interface PlanSummary {
  /** Every Pending pod looked at, whatever became of it. */
  readonly pendingPods: number;
  readonly stuckPods: number;
  readonly newNodes: number;
  readonly removedNodes: number;
  /** Dollars; absent where a price is missing. */
  readonly hourlyCostBefore?: number;
  readonly hourlyCostAfter?: number;
  readonly milliseconds: number;
}

/** What the plan is not: people must see it beside the plan. */
export interface PlanLimits {
  /** Files and objects that could not be used. */
  readonly unusedInputs: number;
  /** The configuration could not be used. */
  readonly defaultPolicy: boolean;
  /** Those of the plan's notes that change what it is worth. */
  readonly caveats: readonly string[];
}

export interface PlannedCase {
  readonly plan: Plan;
  readonly input: ScaleUpInput;
  readonly limits: PlanLimits;
}

export type PlanOutcome =
  | PlannedCase
  /** Nothing could be done: one line with the remedy. */
  | { readonly refused: string };

/** One object with several faults is one input. Configuration is counted by its caller. */
const inputsOf = (problems: readonly Problem[]): number =>
  new Set(
    problems.map(({ file, field = '' }) => {
      const object = /^[^[]*\[[^\]]*\]/.exec(field)?.[0] ?? field;
      return JSON.stringify([file, object]);
    }),
  ).size;

/** Kinds that nobody recorded though pods that wait are about them. */
const notRecorded = (
  { snapshot, kindsSeen }: ClusterReading,
  { emptyKinds = [] }: Recording,
): readonly string[] => {
  const seen = new Set([...kindsSeen, ...emptyKinds]);
  const missing = kindsThatMatter(snapshot)
    .map((list) => clusterKinds[list])
    .filter(({ kind }) => !seen.has(kind));
  if (missing.length === 0) return [];
  const kinds = missing.map(({ kind }) => kind).join(', ');
  const plurals = missing.map(({ plural }) => plural).join(',');
  return [
    `not in the snapshot, though Pending pods need them: ${kinds}; add kubectl get ${plurals} -A -o json`,
  ];
};

const noGroupsAtAll =
  'no Auto Scaling groups among the input: add the output of aws autoscaling describe-auto-scaling-groups';

/** Tags are no remedy for groups that nobody recorded. */
const withoutGroups = (stuck: readonly StuckPod[]): readonly StuckPod[] =>
  stuck.map(({ pod, reasons }) => ({
    pod,
    reasons: reasons.map((reason) =>
      reason.code === 'noGroups' ? { ...reason, message: noGroupsAtAll } : reason,
    ),
  }));

/**
 * What the deployed function would decide on a recorded cluster: the same decision, with an empty
 * ledger. Broken objects are named in `problems`; the rest is planned, unless nothing is left of the
 * cluster: a plan that says so confidently would be of a cluster that does not exist.
 */
export const plan = (request: PlanRequest, clock: Clock): PlanOutcome => {
  const startedMs = clock.nowMs();
  const { recording } = request;
  const kubernetes = readClusterObjects(
    recording.objects.map(({ file, content }) => ({ file, object: content })),
  );
  const aws = readAwsObjects(recording.aws);
  const unused = [...recording.problems, ...kubernetes.problems, ...aws.problems];
  const { nodes, pods } = kubernetes.snapshot;
  if (unused.length > 0 && nodes.length === 0 && pods.length === 0) {
    return { refused: `no Node and no Pod could be read: ${firstProblemLine(unused)}` };
  }
  const chosen = chooseGroups(aws.groups, request.clusters, request.cluster);
  if ('refused' in chosen) return chosen;
  const priced =
    recording.prices && readPrices(recording.prices.content, recording.prices.file).prices;
  const input: ScaleUpInput = {
    cluster: chosen.cluster,
    snapshot: kubernetes.snapshot,
    nodeGroups: {
      region: regionOfGroups(chosen.groups) ?? 'unknown',
      groups: chosen.groups,
      launchTemplates: aws.launchTemplates,
      instanceTypes: aws.instanceTypes,
      ...(aws.typesByAttributes.length === 0 ? {} : { typesByAttributes: aws.typesByAttributes }),
    },
    ledger: [],
    policy: chosen.policy,
    ...(priced === undefined ? {} : { prices: priced }),
    nowMs: request.nowMs ?? recording.newestMs ?? startedMs,
  };
  const decision = decideScaleUp(input);
  const cost = costOfPlan(recording.prices, input, decision.scaleUps);
  const { scaleUps, fits, ignored, blockedGroups } = decision;
  const stuck = aws.groups.length === 0 ? withoutGroups(decision.stuck) : decision.stuck;
  const helped = scaleUps.reduce((sum, scaleUp) => sum + scaleUp.pods.length, 0);
  const faults = request.configurationProblems ?? [];
  const caveats = [
    ...(aws.groups.length === 0 ? [noGroupsAtAll] : chosen.caveats),
    ...notRecorded(kubernetes, recording),
  ];
  return {
    input,
    limits: {
      unusedInputs: inputsOf(unused) + Math.min(faults.length, 1),
      defaultPolicy: faults.length > 0,
      caveats,
    },
    plan: {
      cluster: input.cluster,
      at: formatTime(input.nowMs),
      scaleUps,
      fits,
      stuck,
      scaleDowns: [],
      blockers: [],
      ignored,
      blockedGroups,
      problems: [...unused, ...faults, ...cost.problems, ...decision.problems],
      notes: [...recording.notes, ...chosen.notes, ...caveats],
      summary: {
        pendingPods: helped + fits.length + stuck.length + ignored.length,
        stuckPods: stuck.length,
        newNodes: scaleUps.reduce((sum, scaleUp) => sum + nodesOf(scaleUp), 0),
        removedNodes: 0,
        ...(cost.before === undefined ? {} : { hourlyCostBefore: cost.before }),
        ...(cost.after === undefined ? {} : { hourlyCostAfter: cost.after }),
        milliseconds: Math.max(0, Math.round(clock.nowMs() - startedMs)),
      },
    },
  };
};
