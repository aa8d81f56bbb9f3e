import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { IgnoredPod } from './decision.ts';
import type { ScalingPolicy } from './policy.ts';

export type CandidatePolicy = Pick<ScalingPolicy, 'priorityCutoff' | 'schedulers'>;

export interface Candidates {
  /** Pods to place: in the order of the input. */
  readonly pods: readonly PodView[];
  readonly ignored: readonly IgnoredPod[];
}

/** A pod that takes room where it is bound. */
export const takesRoom = (pod: PodView): boolean =>
  pod.nodeName !== undefined && pod.phase !== 'Succeeded' && pod.phase !== 'Failed';

export const isDaemonSetPod = (pod: PodView): boolean => pod.owner?.kind === 'DaemonSet';

/**
 * Pending pods without a node that the scheduler has given up on for now; only they may call for
 * nodes. The rest are told why they wait. As Cluster Autoscaler has it: pods below the priority cut-off
 * are expendable (one without any priority never is), DaemonSet pods go where their node is.
 */
export const findCandidates = (
  pods: readonly PodView[],
  policy: CandidatePolicy,
  nodeNames: ReadonlySet<string>,
): Candidates => {
  const found: PodView[] = [];
  const ignored: IgnoredPod[] = [];
  for (const pod of pods) {
    if (pod.phase !== 'Pending' || pod.nodeName !== undefined) continue;
    const why = whyIgnored(pod, policy, nodeNames);
    if (why === undefined) found.push(pod);
    else ignored.push({ pod: podKey(pod), ...why });
  }
  return { pods: found, ignored };
};

const whyIgnored = (
  pod: PodView,
  { priorityCutoff, schedulers }: CandidatePolicy,
  nodeNames: ReadonlySet<string>,
): Omit<IgnoredPod, 'pod'> | undefined => {
  if (pod.deletedAtMs !== undefined) {
    return { code: 'terminating', message: 'it is being deleted' };
  }
  if (pod.gated || pod.scheduled?.reason === 'SchedulingGated') {
    return { code: 'schedulingGated', message: 'it has scheduling gates left' };
  }
  if (schedulers !== undefined && !schedulers.includes(pod.schedulerName)) {
    return {
      code: 'otherScheduler',
      message: `its scheduler ${pod.schedulerName} is none of ${schedulers.join(', ') || 'those'} whose pods are looked after (scaling.schedulers)`,
    };
  }
  if (isDaemonSetPod(pod)) {
    return {
      code: 'daemonSetPod',
      message: `it belongs to the DaemonSet ${pod.owner?.name} and runs only where its node has room; a higher priority makes room`,
    };
  }
  if (isNominated(pod, nodeNames)) {
    return {
      code: 'nominated',
      message: `it waits for room that preemption makes on ${pod.nominatedNodeName}`,
    };
  }
  if (pod.priority !== undefined && pod.priority < priorityCutoff) {
    return {
      code: 'priorityBelowCutoff',
      message: `its priority ${pod.priority} is below the cut-off ${priorityCutoff}`,
    };
  }
  if (pod.scheduled?.status !== 'False' || pod.scheduled.reason !== 'Unschedulable') {
    return { code: 'notYetScheduled', message: 'the scheduler has not tried it yet' };
  }
  return undefined;
};

/** Named for a node that is still there. */
export const isNominated = (pod: PodView, nodeNames: ReadonlySet<string>): boolean =>
  pod.nominatedNodeName !== undefined && nodeNames.has(pod.nominatedNodeName);
