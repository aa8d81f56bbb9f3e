import { inParallel } from '#cluster/in-parallel.ts';
import { compareText } from '#cluster/order.ts';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import type { PodEvent } from '#cluster/pod-event.ts';
import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { JournalHead } from '#ports/journal.ts';
import type { Fit, Reason, ScaleUp, StuckPod } from '#scaling/decision.ts';
import { digestOf } from './digest.ts';
import { type Failure, failureOf } from './failure.ts';

export type Told = JournalHead['told'];

/** What became of a planned raise: carried out, found done by somebody else, or only observed. */
export type RaiseFate = 'raised' | 'already' | 'observed';

export interface PodTidings {
  readonly pods: readonly PodView[];
  readonly scaleUps: readonly { readonly scaleUp: ScaleUp; readonly fate: RaiseFate }[];
  readonly stuck: readonly StuckPod[];
  readonly fits: readonly Fit[];
  /** What was told before, and up to which pod (by UID) the last look came. */
  readonly told: Told;
  readonly toldUpTo?: string;
  readonly clock: Clock;
}

export interface Telling {
  readonly told: Told;
  readonly toldUpTo?: string;
  /** Posts are left that the next look can make. */
  readonly left: boolean;
  /** The first failure: an Event lost is never worth a failed raise. */
  readonly failure?: Failure;
}

/** A pod hears of a changed reason at most this often; of a raise for it at once. */
const quietMs = 5 * 60_000;
/** Events posted in one look; the next look goes on where this one stopped. */
const eventsPerLook = 200;
/** No post is begun after so long: the lease is held meanwhile, and hints wait for it. */
const tellingMs = 3_000;
/** Pods whose last word is remembered (bounds the journal head's size in the table). */
const rememberedPods = 10_000;
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

type Word = Pick<PodEvent, 'type' | 'reason' | 'message'> & {
  /** Said only to a pod that has heard nothing yet. */
  readonly onlyFirst?: true;
  /** Said at once: an earlier word named another group, and that is no longer true. */
  readonly atOnce?: true;
};

const scaleUpWord = (scaleUp: ScaleUp, fate: RaiseFate): Word => {
  const sizes = `${scaleUp.group} from ${scaleUp.from} to ${scaleUp.to}`;
  const said = (reason: string, beginning: string): Word => ({
    type: 'Normal',
    reason,
    message: `${beginning} ${sizes}: ${scaleUp.reason}`,
  });
  switch (fate) {
    case 'raised':
      return said('TriggeredScaleUp', 'Raised');
    case 'already':
      return said('TriggeredScaleUp', 'Somebody else has raised');
    case 'observed':
      return said('WouldTriggerScaleUp', 'Mode observe: would raise');
  }
};

const wordsFor = (tidings: PodTidings): ReadonlyMap<string, Word> => {
  const words = new Map<string, Word>();
  // Also what a pod hears whose raise was carried out by a look that died before it could say so.
  for (const { pod, group } of tidings.fits) {
    if (group === undefined) continue;
    const message = `A node of ${group} that is on its way has room for this pod.`;
    words.set(pod, { type: 'Normal', reason: 'WaitsForNode', message, onlyFirst: true });
  }
  for (const { scaleUp, fate } of tidings.scaleUps) {
    const word: Word = {
      ...scaleUpWord(scaleUp, fate),
      ...(fate === 'raised' ? { atOnce: true } : {}),
    };
    for (const pod of scaleUp.pods) words.set(pod, word);
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

interface DuePost {
  readonly uid: string;
  readonly event: PodEvent;
  readonly digest: string;
}

/** Posts to make, in order of UID from where the last look stopped, so that every pod has its turn. */
const postsDue = (tidings: PodTidings, nowMs: number): readonly DuePost[] => {
  const words = wordsFor(tidings);
  const due: DuePost[] = [];
  for (const pod of tidings.pods) {
    const word = words.get(podKey(pod));
    if (word === undefined) continue;
    const { onlyFirst, atOnce, ...said } = word;
    const before = getOwn(tidings.told, pod.uid);
    const digest = digestOf(`${said.reason} ${said.message}`);
    if (before !== undefined && (onlyFirst || before.digest === digest)) continue;
    // A time to come is a clock that was set back since: it counts as now, not for ever.
    const isRecent = before !== undefined && before.atMs <= nowMs && nowMs - before.atMs < quietMs;
    if (isRecent && atOnce !== true) continue;
    const about = { namespace: pod.namespace, pod: pod.name, podUid: pod.uid };
    due.push({ uid: pod.uid, event: { ...about, ...said, atMs: nowMs }, digest });
  }
  due.sort((a, b) => compareText(a.uid, b.uid));
  const { toldUpTo } = tidings;
  const next = toldUpTo === undefined ? 0 : due.findIndex(({ uid }) => uid > toldUpTo);
  return next <= 0 ? due : [...due.slice(next), ...due.slice(0, next)];
};

/** The words said to pods that still wait; of too many, those said longest ago are forgotten. */
const remember = (tidings: PodTidings, posted: Told): Told => {
  const told: Record<string, Told[string]> = {};
  for (const { uid } of tidings.pods) {
    const word = getOwn(posted, uid) ?? getOwn(tidings.told, uid);
    if (word !== undefined) setOwn(told, uid, word);
  }
  const entries = Object.entries(told);
  if (entries.length <= rememberedPods) return told;
  entries.sort(([, a], [, b]) => b.atMs - a.atMs);
  return Object.fromEntries(entries.slice(0, rememberedPods));
};

/** Posts on each pod what was decided about it, when that changed, within bounds of count and time. */
export const tellPods = async (clusterApi: ClusterApi, tidings: PodTidings): Promise<Telling> => {
  const startedMs = tidings.clock.nowMs();
  const due = postsDue(tidings, startedMs);
  const posted: Record<string, Told[string]> = {};
  let failure: Failure | undefined;
  let toldUpTo = tidings.toldUpTo;
  await inParallel(due.slice(0, eventsPerLook), parallelPosts, async (next) => {
    if (tidings.clock.nowMs() - startedMs > tellingMs) return;
    toldUpTo = next.uid;
    try {
      await clusterApi.postPodEvent(next.event);
    } catch (thrown) {
      const what = failureOf(thrown);
      // A pod that went away meanwhile has nobody to tell; anything else is tried again next time.
      if (what.code !== 'notFound') {
        failure ??= what;
        return;
      }
    }
    setOwn(posted, next.uid, { digest: next.digest, atMs: startedMs });
  });
  return {
    told: remember(tidings, posted),
    left: Object.keys(posted).length > 0 && Object.keys(posted).length < due.length,
    ...(toldUpTo === undefined ? {} : { toldUpTo }),
    ...(failure === undefined ? {} : { failure }),
  };
};
