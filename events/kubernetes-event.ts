import * as z from 'zod';
import { clusterDetailFields, clusterSource } from './cluster-source.ts';

/*
 * A Kubernetes Event as kubernetes-event-exporter (resmoio, opsgenie before) puts it on the bus with its
 * receiver `eventbridge`: source, detail type and bus are what its configuration says, and the detail is
 * the map `details` with its templates filled in. Every leaf of such a map is a string. What the map calls its
 * fields is up to its author, so that the reason and the kind of object are looked for where people put them:
 *
 * - `reason` with `kind` or `involvedObject.kind`, at the top or below `details` or `event`;
 * - `event` as the whole Event in JSON (`{{ toJson . }}`).
 *
 * `cluster` and `network` stand at the top: the bus routes by them. A hint: nothing in it is acted upon but
 * the cluster's name.
 */

export const kubernetesEventDetailType = 'Kubernetes Event';

export const kubernetesEvent = z.object({
  source: clusterSource,
  'detail-type': z.literal(kubernetesEventDetailType),
  detail: z.looseObject(clusterDetailFields),
});
export type KubernetesEvent = z.infer<typeof kubernetesEvent>;

/** What an Event is about. */
export interface EventSubject {
  readonly reason: string;
  /** Empty where it is not said: some releases of the exporter lose it for objects that are gone. */
  readonly kind: string;
}

/** Finds reason and kind in the detail of an exported Event; `undefined` where it holds no reason. */
export const eventSubject = (detail: Readonly<Record<string, unknown>>): EventSubject | undefined =>
  [detail, detail.details, detail.event].map(subjectOf).find((subject) => subject !== undefined);

const subjectOf = (told: unknown): EventSubject | undefined => {
  const { reason, kind, involvedObject } = fieldsOf(typeof told === 'string' ? parse(told) : told);
  if (typeof reason !== 'string' || reason === '') return undefined;
  const named = [kind, fieldsOf(involvedObject).kind].find((each) => typeof each === 'string');
  return { reason, kind: named ?? '' };
};

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Reasons of Events on nodes after which a look is worth its price: the node lifecycle controller's, the
 * cloud's and the kubelet's. Those that say that all is well again, or repeat at every start of a kubelet,
 * are left to the sweep.
 */
export const nodeSignalReasons: readonly string[] = [
  'NodeReady',
  'NodeNotReady',
  'NodeHasDiskPressure',
  'NodeHasInsufficientMemory',
  'NodeHasInsufficientPID',
  'Rebooted',
  'RegisteredNode',
  'RemovingNode',
  'DeletingNode',
];

/** What an Event hints at; `undefined`: nothing that Outrider looks for. */
export const hintOfEvent = ({
  reason,
  kind,
}: EventSubject): 'pod-pending' | 'node-signal' | undefined => {
  const isAbout = (wanted: string): boolean => kind === wanted || kind === '';
  if (reason === 'FailedScheduling' && isAbout('Pod')) return 'pod-pending';
  if (nodeSignalReasons.includes(reason) && isAbout('Node')) return 'node-signal';
  return undefined;
};
