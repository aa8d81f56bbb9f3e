import { createHash } from 'node:crypto';
import { cutBytes } from '#adapters/cut-bytes.ts';
import type { PodEvent } from '#cluster/pod-event.ts';

/** Limits of events.k8s.io/v1 (k8s.io/kubernetes 1.37, pkg/apis/core/validation/events.go), in bytes. */
const mostNoteBytes = 1024;
const mostReasonBytes = 128;
/** Of any object's name. */
const mostNameLength = 253;

const controller = 'outrider.dev/scale-up';

/**
 * The Event as events.k8s.io/v1 takes it. Its name is the pod's with a digest of pod, reason and
 * message: the same word said twice is one Event. `kubectl describe pod` finds it by the pod's UID.
 */
export function podEventObject(event: PodEvent) {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: eventName(event), namespace: event.namespace },
    eventTime: microTime(event.atMs),
    reportingController: controller,
    reportingInstance: 'outrider',
    action: 'ScaleUp',
    reason: cutBytes(event.reason, mostReasonBytes),
    type: event.type,
    regarding: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: event.namespace,
      name: event.pod,
      uid: event.podUid,
    },
    note: cutBytes(event.message, mostNoteBytes),
  };
}

function eventName(event: PodEvent): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([event.podUid, event.type, event.reason, event.message]))
    .digest('hex')
    .slice(0, 16);
  const room = mostNameLength - digest.length - 1;
  // A name's labels end in a letter or digit.
  const pod = event.pod.slice(0, room).replace(/[^a-z0-9]+$/, '');
  return `${pod}.${digest}`;
}

/** Kubernetes' MicroTime: exactly six digits of a second. */
const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
