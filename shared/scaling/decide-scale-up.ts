import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import { type PodView, podKey } from '#cluster/snapshot.ts';
import { type Trials, withShare } from '#scheduling/trials.ts';
import { groupAlerts, podAlerts } from './alerts.ts';
import { findCandidates } from './candidates.ts';
import { countsUnits } from './capacity-units.ts';
import { choosingOf } from './choosing/choosing.ts';
import { gangsOf, noGangs } from './choosing/gangs.ts';
import { claimsOf } from './claims.ts';
import { sizeWith } from './coming.ts';
import type { Fit, Reason, ScaleUp, ScaleUpDecision, ScaleUpInput, StuckPod } from './decision.ts';
import { expectPreemptions } from './expected-preemptions.ts';
import { gangReasons, trialsOfReason } from './gang-reasons.ts';
import { type GroupState, groupStatesOf } from './group-state.ts';
import { lateNodes } from './late-nodes.ts';
import { podsLaunchedFor } from './launches-for-pods.ts';
import { occupancyOf } from './occupancy.ts';
import { otherScalerAtWork } from './other-scaler.ts';
import { keepHeadroom, type PlanWithHeadroom } from './planning/keep-headroom.ts';
import { type Plan, type PlanQuestion, planScaleUp } from './planning/plan.ts';
import { planGangs } from './planning/plan-gangs.ts';
import { defaultLaunchesPerPod, defaultPackingTrials, type ScalingPolicy } from './policy.ts';
import { scaleUpReason } from './reason-text.ts';
import { stuckReasons } from './stuck-reasons.ts';
import { takeBacksOf } from './take-back.ts';

/**
 * Which groups to raise for the pods that the scheduler cannot place. Pure and deterministic: the same
 * decision for any order of the lists, and nothing more once its own raise is in `desired` or the
 * ledger. Every candidate pod is in exactly one of `scaleUps`, `fits` and `stuck`; other Pending pods
 * without a node are in `ignored`. The mode plays no part: acting is the caller's business.
 */
export const decideScaleUp = (asked: ScaleUpInput): ScaleUpDecision => deliberate(asked).decision;

/** A decision with what it was come to by, for whoever explains it. */
export interface Deliberation {
  readonly decision: ScaleUpDecision;
  readonly groups: readonly GroupState[];
  readonly plan: Plan;
}

/** The same with the groups and the plan behind it. */
export const deliberate = (asked: ScaleUpInput): Deliberation => {
  const claims = claimsOf(asked.snapshot.nodes, asked.nodeGroups.foreign ?? []);
  const input = { ...asked, snapshot: { ...asked.snapshot, nodes: claims.nodes } };
  const { snapshot, policy } = input;
  const names = new Set(snapshot.nodes.map((node) => node.name));
  const candidates = findCandidates(snapshot.pods, policy, names);
  const wanted = candidates.pods.filter((pod) => pod.notJudged.length === 0);
  const unjudged = candidates.pods.filter((pod) => pod.notJudged.length > 0);
  const groups = groupStatesOf(input);
  const choosing = choosingOf(input, groups);
  const otherScaler = otherScalerAtWork(snapshot.leases, input.nowMs);
  const limit = policy.launchesPerPod ?? defaultLaunchesPerPod;

  const trials: Trials = { left: policy.trialsPerDecision ?? Number.POSITIVE_INFINITY };
  const expected = withShare(trials, 8, (within) =>
    expectPreemptions({
      pods: wanted,
      snapshot,
      occupancy: occupancyOf(snapshot.nodes, snapshot.pods),
      policy,
      nowMs: input.nowMs,
      trials: within,
    }),
  );
  const judged = expected.pods;
  // Half is kept to say why of the pods that find no place.
  const gangs = gangsOf({ policy: policy.gangs ?? noGangs, pods: snapshot.pods, waiting: judged });
  const { plan: whole, refused } = withShare(trials, 2, (within) => {
    const question: PlanQuestion = {
      pods: judged,
      addNothingFor: podsLaunchedFor(judged, input.ledger, limit),
      snapshot,
      groups,
      occupancy: expected.occupancy,
      mayAdd: otherScaler === undefined,
      choosing,
      replays: policy.replaysScheduler ?? true,
      packingTrials: policy.packingTrials ?? defaultPackingTrials,
      trials: within,
    };
    return planGangs(question, gangs, planScaleUp);
  });

  const plan =
    otherScaler === undefined
      ? keepHeadroom(whole, groups, policy)
      : { ...whole, kept: new Map(), headroomProblems: [] };

  // Beside another scaler nothing is acted on, and what it asks for is its own.
  const { takeBacks, problems: staying } =
    otherScaler === undefined ? takeBacksOf(groups) : { takeBacks: [], problems: [] };

  // Of pods that run still nothing is told but the nodes that are added for them.
  const isPending = ({ pod }: { readonly pod: string }): boolean => !expected.victims.has(pod);
  const decision: ScaleUpDecision = {
    scaleUps: scaleUpsOf(plan, groups),
    takeBacks,
    fits: fitsOf(plan).filter(isPending),
    stuck: [
      ...stuckOf(plan, { groups, otherScaler, trials, policy }),
      ...refused.flatMap((gang) => gangReasons(gang, groups, trials)),
      ...unjudged.map(notJudged),
      ...plan.leftOut.map((pod) => launchedInVain(pod, limit)),
      ...plan.notLookedAt.map((pod) => notLookedAt(pod, policy)),
    ]
      .filter(isPending)
      .sort((a, b) => compareText(a.pod, b.pod)),
    ignored: [...candidates.ignored, ...expected.ignored].sort((a, b) => compareText(a.pod, b.pod)),
    blockedGroups: groups.flatMap(({ blocked }) => blocked ?? []),
    alerts: [...groupAlerts(input.ledger), ...podAlerts(plan.leftOut, limit)],
    problems: [
      ...claims.problems,
      ...groups.flatMap(({ templates }) => templates.problems),
      ...choosing.problems,
      ...plan.headroomProblems,
      ...staying,
      ...lateNodes(input.ledger, policy, input.nowMs),
      ...(otherScaler === undefined
        ? []
        : [{ field: 'leases', code: 'otherScaler', message: otherScaler }]),
    ],
  };
  return { decision, groups, plan };
};

const scaleUpsOf = (plan: PlanWithHeadroom, groups: readonly GroupState[]): readonly ScaleUp[] =>
  groups.flatMap((state) => {
    const { group, coming, templates } = state;
    const added = plan.added.get(group.name) ?? 0;
    if (added === 0) return [];
    const pods = plan.onExpected
      .filter(({ node }) => node.planned && node.group === group.name)
      .map(({ pod }) => pod);
    const [zone, ...otherZones] = group.zones;
    const types = new Set(templates.templates.map(({ instanceType }) => instanceType));
    const [instanceType] = types;
    return [
      {
        group: group.name,
        ...(zone === undefined || otherZones.length > 0 ? {} : { zone }),
        from: group.desired,
        to: sizeWith(coming, added),
        ...(countsUnits(group) ? { nodes: added } : {}),
        ...(instanceType === undefined || types.size > 1 ? {} : { instanceType }),
        pods: pods.map(podKey),
        reason: scaleUpReason(state, pods, plan),
      },
    ];
  });

const fitsOf = (plan: Plan): readonly Fit[] =>
  [
    ...plan.onExisting.map(({ pod, node }) => ({ pod: podKey(pod), node })),
    ...plan.onExpected
      .filter(({ node }) => !node.planned)
      .map(({ pod, node }) => ({ pod: podKey(pod), node: node.name, group: node.group })),
  ].sort((a, b) => compareText(a.pod, b.pod));

interface StuckQuestion {
  readonly groups: readonly GroupState[];
  readonly otherScaler: string | undefined;
  readonly trials: Trials;
  readonly policy: ScalingPolicy;
}

const stuckOf = (
  plan: Plan,
  { groups, otherScaler, trials, policy }: StuckQuestion,
): readonly StuckPod[] =>
  plan.homeless.flatMap(({ podClass, pods }) => {
    if (trials.left <= 0) return pods.map((pod) => notLookedAt(pod, policy));
    if (otherScaler === undefined) trials.left -= groups.length * trialsOfReason;
    const reasons: readonly Reason[] =
      otherScaler === undefined
        ? stuckReasons(podClass.sample, {
            groups,
            added: plan.added,
            limits: plan.choosing.limits,
            world: plan.world,
          })
        : [{ code: 'otherScaler', message: otherScaler }];
    return pods.map((pod) => ({ pod: podKey(pod), reasons }));
  });

const notJudged = (pod: PodView): StuckPod => ({
  pod: podKey(pod),
  reasons: [
    {
      code: 'notJudged',
      message: `it demands ${[...pod.notJudged].sort().join(', ')}, which is not judged yet: no node is added for it`,
    },
  ],
});

const launchedInVain = (pod: PodView, limit: number): StuckPod => ({
  pod: podKey(pod),
  reasons: [
    {
      code: 'launchesWithoutBinding',
      message: `${counted(limit, 'launch', 'launches')} or more (scaling.launchesPerPod) were made for it and the scheduler bound it to no node: no more are made, see what it says of the new nodes (kubectl describe pod)`,
    },
  ],
});

const notLookedAt = (pod: PodView, { trialsPerDecision }: ScalingPolicy): StuckPod => ({
  pod: podKey(pod),
  reasons: [
    {
      code: 'notLookedAt',
      message: `the ${trialsPerDecision} trials of one decision (scaling.trialsPerDecision) were used up before it was looked at to the end: the next look goes in the same order, by priority first, and comes further as pods find nodes`,
    },
  ],
});
