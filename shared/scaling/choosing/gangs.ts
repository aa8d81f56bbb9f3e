import { compareText } from '#cluster/order.ts';
import { getOwn } from '#cluster/own-record.ts';
import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { GangPolicy } from '../policy.ts';

/** Pods that are of use only together, of which some wait for nodes. */
export interface Gang {
  /** `namespace/name`. */
  readonly name: string;
  /** Those of its pods that nodes may be added for, by name. */
  readonly waiting: readonly PodView[];
  /** How many of them must find a place, beside the pods of it that run. */
  readonly needed: number;
  /** How many must run in all. */
  readonly minimum: number;
}

export const noGangs: GangPolicy = { labels: [], minimum: [] };

export interface GangsQuestion {
  readonly policy: GangPolicy;
  /** All pods of the cluster. */
  readonly pods: readonly PodView[];
  /** Those that wait for a node. */
  readonly waiting: readonly PodView[];
}

/**
 * Gangs with pods that wait, the highest priority first, then by name. How many must run is what a pod of it says, the
 * most where they differ; where none does, all that are not finished or being deleted. Gangs of which
 * enough run already are none: what comes on top is not all or none.
 */
export const gangsOf = ({ policy, pods, waiting }: GangsQuestion): readonly Gang[] => {
  if (policy.labels.length === 0) return [];
  const candidates = new Set(waiting);
  const members = new Map<string, PodView[]>();
  for (const pod of pods) {
    const name = gangOf(pod, policy);
    if (name === undefined || isOver(pod)) continue;
    const others = members.get(name);
    if (others === undefined) members.set(name, [pod]);
    else others.push(pod);
  }
  return [...members]
    .map(([name, all]): Gang => {
      const minimum = minimumOf(all, policy) ?? all.length;
      const running = all.filter(({ nodeName }) => nodeName !== undefined).length;
      return {
        name,
        waiting: all
          .filter((pod) => candidates.has(pod))
          .sort((a, b) => compareText(podKey(a), podKey(b))),
        needed: minimum - running,
        minimum,
      };
    })
    .filter(({ waiting: some, needed }) => some.length > 0 && needed > 0)
    .sort((a, b) => priorityOf(b) - priorityOf(a) || compareText(a.name, b.name));
};

const gangOf = ({ namespace, labels }: PodView, policy: GangPolicy): string | undefined => {
  for (const key of policy.labels) {
    const name = getOwn(labels, key);
    if (name !== undefined && name !== '') return `${namespace}/${name}`;
  }
  return undefined;
};

const isOver = ({ phase, deletedAtMs }: PodView): boolean =>
  phase === 'Succeeded' || phase === 'Failed' || deletedAtMs !== undefined;

const priorityOf = ({ waiting }: Gang): number =>
  waiting.reduce((most, { priority = 0 }) => Math.max(most, priority), Number.NEGATIVE_INFINITY);

/** What is no whole number above 0 says nothing. */
const minimumOf = (members: readonly PodView[], policy: GangPolicy): number | undefined => {
  let most: number | undefined;
  for (const { labels, annotations } of members) {
    for (const key of policy.minimum) {
      const text = getOwn(labels, key) ?? getOwn(annotations, key) ?? '';
      if (/^[1-9][0-9]{0,6}$/.test(text)) most = Math.max(most ?? 0, Number(text));
    }
  }
  return most;
};
