import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import { type PodView, podKey } from '#cluster/snapshot.ts';
import { formatTime } from '#cluster/time.ts';
import type { Alert } from './decision.ts';
import type { BackOff, LedgerEntry } from './ledger.ts';

/** From so many failures in a row a group's launches are a person's business. */
const failuresThatAlert = 3;

/** Groups whose launches fail again and again: until one comes up, or the failures are forgotten. */
export const groupAlerts = (ledger: readonly LedgerEntry[]): readonly Alert[] =>
  ledger
    .flatMap(({ group, backOff }) =>
      backOff !== undefined && backOff.failures >= failuresThatAlert
        ? [launchesFail(group, backOff)]
        : [],
    )
    .sort((a, b) => compareText(a.subject, b.subject));

const launchesFail = (group: string, backOff: BackOff): Alert => {
  const { failures, code, message, atMs, untilMs } = backOff;
  const sinceMs = backOff.sinceMs ?? atMs;
  return {
    kind: 'group-launches-fail',
    subject: `group ${group}`,
    sinceMs,
    summary: `Launches of the group ${group} fail: ${counted(failures, 'failure')} in a row since ${formatTime(sinceMs)} (${code})`,
    text: [
      `The last failure, at ${formatTime(atMs)}: ${code}: ${message}.`,
      `The group is left alone until ${formatTime(untilMs)}, and pods are planned on other groups that suit them.`,
      `Look at: aws autoscaling describe-scaling-activities --auto-scaling-group-name ${group}; for nodes that do not come up, the instance's console output, its user data and its kubelet.`,
      'It ends by itself once a node that was launched since comes up.',
    ].join('\n'),
  };
};

/** More at once say no more; the rest is counted. */
const mostPodAlerts = 20;

/**
 * Pods that launches do not help: one alert for each controller, named for its oldest pod so that the
 * subject stays while that pod waits, and one for a pod without controller.
 */
export const podAlerts = (pods: readonly PodView[], limit: number): readonly Alert[] => {
  const byOwner = new Map<string, PodView[]>();
  for (const pod of [...pods].sort(oldestFirst)) {
    const key = `${pod.namespace} ${pod.owner?.uid ?? pod.uid}`;
    const others = byOwner.get(key);
    if (others === undefined) byOwner.set(key, [pod]);
    else others.push(pod);
  }
  const all = [...byOwner.values()].map((group) => withoutBinding(group, limit));
  const told = all.slice(0, mostPodAlerts);
  const more = all.length - told.length;
  if (more === 0) return told;
  const summary = `and ${more} more: launches for ${counted(more, 'other controller or pod', 'other controllers or pods')} brought no binding`;
  return [
    ...told,
    {
      kind: 'launches-without-binding',
      subject: 'more pods',
      sinceMs: Math.min(...all.slice(mostPodAlerts).map(({ sinceMs }) => sinceMs)),
      summary,
      text: 'Each of them is in the decision, stuck with the code launchesWithoutBinding.',
    },
  ];
};

const sinceOf = ({ createdAtMs, scheduled }: PodView): number =>
  createdAtMs ?? scheduled?.sinceMs ?? 0;

const oldestFirst = (a: PodView, b: PodView): number =>
  sinceOf(a) - sinceOf(b) || compareText(podKey(a), podKey(b));

const withoutBinding = ([first, ...others]: readonly PodView[], limit: number): Alert => {
  const pod = first as PodView;
  const name = podKey(pod);
  const more =
    others.length === 0
      ? ''
      : ` and ${counted(others.length, 'more pod')} of ${pod.owner?.kind} ${pod.owner?.name}`;
  return {
    kind: 'launches-without-binding',
    subject: `pod ${name}`,
    sinceMs: sinceOf(pod),
    summary: `${name}${more} ${others.length === 0 ? 'waits' : 'wait'} though ${limit} launches were made for ${others.length === 0 ? 'it' : 'them'}: no more are`,
    text: [
      `Nodes came up that should take the pod, and the scheduler bound it to none of them; more would not help.`,
      `Look at: kubectl -n ${pod.namespace} describe pod ${pod.name} (what the scheduler says of each node); the labels and taints of the group's newest nodes against what its tags promise; volumes, quotas and admission that hold the pod back; webhooks or a second scheduler that bind it elsewhere.`,
      'It ends when the pod is bound, deleted or made anew.',
    ].join('\n'),
  };
};
