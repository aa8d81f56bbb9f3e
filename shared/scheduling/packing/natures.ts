import { getOwn } from '#cluster/own-record.ts';
import { hostnameLabel } from '../state/node-list.ts';
import type { FitQuestion, SchedulingState, StatePod } from '../state/scheduling-state.ts';
import { type Counting, countingsOf, mayCount } from './queries.ts';

/** All that filters look at in a pod but its requests. Pods of one nature may change places. */
export interface Nature {
  /** Asks for nothing: room is counted by the packing, all the rest by the state. */
  readonly pod: StatePod;
  readonly question: FitQuestion;
  /** It may be kept off one node and not off another that looks the same. */
  readonly perNode: boolean;
  /** No constraint between pods has to do with it: bound after all that have one, it may be anywhere. */
  readonly plain: boolean;
  /** Ports and volumes: what is true of one node need not be true of another. */
  readonly fixed: boolean;
  /** Such pods keep each other off their nodes: they get theirs first. */
  readonly apart: boolean;
}

const sortedEntries = (record: Readonly<Record<string, string>>): unknown =>
  Object.keys(record)
    .sort()
    .map((key) => [key, record[key]]);

const hasOwnClaim = (pod: StatePod): boolean =>
  (pod.volumes ?? []).some((volume) => volume.kind === 'claim' && volume.ephemeral);

/** Names the nature of a pod. `labels`: those of its labels that somebody looks at. */
export const natureKey = (pod: StatePod, labels: readonly string[]): string =>
  JSON.stringify([
    pod.namespace,
    labels.map((key) => getOwn(pod.labels, key) ?? null),
    sortedEntries(pod.nodeSelector),
    pod.requiredNodeAffinity,
    pod.tolerations,
    pod.hostPorts,
    pod.podAffinity?.required,
    pod.podAntiAffinity?.required,
    pod.topologySpread,
    pod.volumes,
    pod.requestedNode,
    hasOwnClaim(pod) ? [pod.name, pod.uid] : null,
  ]);

/** `all`: what anybody counts. Who counts only pods that are bound before a plain one does not see it. */
export function natureOf(pod: StatePod, all: readonly Counting[], state: SchedulingState): Nature {
  const own = countingsOf(pod);
  const others = all.filter((counting) => mayCount(counting, pod));
  const fixed = pod.hostPorts.length > 0 || (pod.volumes?.length ?? 0) > 0;
  const plain = !fixed && own.length === 0 && others.every(({ by }) => by === 'spread');
  const counted = plain ? [] : [...own, ...others];
  const bare: StatePod = { ...pod, requests: {} };
  return {
    pod: bare,
    question: state.questionOf(bare),
    perNode: fixed || counted.some(({ topologyKey }) => topologyKey === hostnameLabel),
    plain,
    fixed,
    apart: counted.some(
      ({ by, topologyKey }) => by === 'antiAffinity' && topologyKey === hostnameLabel,
    ),
  };
}
