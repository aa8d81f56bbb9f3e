import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { ClusterApi, PodEvent } from '#ports/cluster-api.ts';
import type { JournalHead } from '#ports/journal.ts';
import type { Fit, Reason, ScaleUp, StuckPod } from '#scaling/decision.ts';
import type { Mode } from '#scaling/policy.ts';
import { digestOf } from './digest.ts';
import { type Failure, failureOf } from './failure.ts';

export type Told = JournalHead['told'];

export interface Tidings {
  readonly pods: readonly PodView[];
  /** Raises that were carried out, and those that group or cluster only observe. */
  readonly scaleUps: readonly { readonly scaleUp: ScaleUp; readonly mode: Mode }[];
  readonly stuck: readonly StuckPod[];
  readonly fits: readonly Fit[];
  readonly told: Told;
  readonly nowMs: number;
}

/** A pod hears of a changed reason at most this often. */
const quietMs = 5 * 60_000;
/** Events posted in one look; the next look goes on where this one stopped. */
const eventsPerLook = 200;
/** Pods whose last word is remembered (bounds the journal head's size in the table). */
const rememberedPods = 2_000;
const parallelPosts = 10;
/** The API server refuses a longer note. */
const noteLimit = 1_000;

/** What each group lacks in one line, cut between groups to what an Event can hold. */
export const stuckMessage = (reasons: readonly Reason[]): string => {
  let message = 'No group can host this pod.';
  for (const [index, reason] of reasons.entries()) {
    const place = reason.group ?? reason.node;
    const next = ` ${place === undefined ? '' : `${place}: `}${reason.message};`;
    const rest = ` and ${reasons.length - index} more;`;
    if (message.length + next.length + rest.length > noteLimit) {
      message += rest;
      break;
    }
    message += next;
  }
  return message.replace(/;$/, '.');
};

const scaleUpEvent = (scaleUp: ScaleUp, mode: Mode): Word => {
  const sizes = `${scaleUp.group} from ${scaleUp.from} to ${scaleUp.to}`;
  return mode === 'act'
    ? { type: 'Normal', reason: 'TriggeredScaleUp', message: `Raised ${sizes}: ${scaleUp.reason}` }
    : {
        type: 'Normal',
        reason: 'WouldTriggerScaleUp',
        message: `Would raise ${sizes} (mode observe): ${scaleUp.reason}`,
      };
};

type Word = Pick<PodEvent, 'type' | 'reason' | 'message'> & {
  /** Said only to a pod that has heard nothing yet. */
  readonly onlyFirst?: true;
};

const wordsFor = (tidings: Tidings): ReadonlyMap<string, Word> => {
  const words = new Map<string, Word>();
  // Also what a pod hears whose raise was carried out by a look that died before it could say so.
  for (const { pod, group } of tidings.fits) {
    if (group === undefined) continue;
    const message = `A node of ${group} that is on its way has room for this pod.`;
    words.set(pod, { type: 'Normal', reason: 'WaitsForNode', message, onlyFirst: true });
  }
  for (const { scaleUp, mode } of tidings.scaleUps) {
    const event = scaleUpEvent(scaleUp, mode);
    for (const pod of scaleUp.pods) words.set(pod, event);
  }
  for (const { pod, reasons } of tidings.stuck) {
    words.set(pod, {
      type: 'Warning',
      reason: 'NotTriggerScaleUp',
      message: stuckMessage(reasons),
    });
  }
  return words;
};

/**
 * Posts on each pod what was decided about it, when that changed. Returns what the pods have now been
 * told (of pods that still exist), and the first failure: an Event lost is never worth a failed raise.
 */
export const tellPods = async (
  clusterApi: ClusterApi,
  tidings: Tidings,
): Promise<{ readonly told: Told; readonly posted: number; readonly failure?: Failure }> => {
  const words = wordsFor(tidings);
  const told: Record<string, { readonly digest: string; readonly atMs: number }> = {};
  const due: { readonly pod: PodView; readonly event: PodEvent; readonly digest: string }[] = [];
  for (const pod of tidings.pods) {
    const before = Object.hasOwn(tidings.told, pod.uid) ? tidings.told[pod.uid] : undefined;
    const word = words.get(podKey(pod));
    if (before !== undefined && Object.keys(told).length < rememberedPods) told[pod.uid] = before;
    if (word === undefined) continue;
    const { onlyFirst, ...said } = word;
    const digest = digestOf(`${said.reason} ${said.message}`);
    if (before !== undefined && (onlyFirst || before.digest === digest)) continue;
    if (before !== undefined && tidings.nowMs - before.atMs < quietMs) continue;
    const about = { namespace: pod.namespace, pod: pod.name, podUid: pod.uid };
    due.push({ pod, event: { ...about, ...said, atMs: tidings.nowMs }, digest });
  }
  let failure: Failure | undefined;
  let posted = 0;
  const queue = due.slice(0, eventsPerLook);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        await clusterApi.postPodEvent(next.event);
        posted += 1;
      } catch (thrown) {
        const what = failureOf(thrown);
        // A pod that went away meanwhile has nobody to tell; anything else is tried again next time.
        if (what.code !== 'notFound') {
          failure ??= what;
          continue;
        }
      }
      told[next.pod.uid] = { digest: next.digest, atMs: tidings.nowMs };
    }
  };
  await Promise.all(Array.from({ length: parallelPosts }, worker));
  return { told, posted, ...(failure === undefined ? {} : { failure }) };
};
