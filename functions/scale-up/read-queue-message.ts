import type { SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { clusterSourceOf, isOfOwnCluster } from '#events/cluster-source.ts';
import { heartbeatDetailType, heartbeatEvent } from '#events/heartbeat.ts';
import {
  eventSubject,
  hintOfEvent,
  kubernetesEvent,
  kubernetesEventDetailType,
} from '#events/kubernetes-event.ts';
import { launchFailedDetailType, launchFailedEvent } from '#events/launch-failed.ts';
import { lookDetailType, lookEvent } from '#events/look.ts';
import { nodeSignalDetailType, nodeSignalEvent } from '#events/node-signal.ts';
import { podPendingDetailType, podPendingEvent } from '#events/pod-pending.ts';
import { sweepDetailType, sweepEvent } from '#events/sweep.ts';
import type { AskedLook, HintTrigger } from '#operations/asked-looks.ts';
import { issuesText, type SchemaIssue } from '../lib/schema-issues.ts';

/**
 * What a message asks for. Of a hint nothing is passed on but the cluster's name: whoever sent it can cause
 * a look and no more. `malformed` says in one line which field is wrong and what to do.
 */
export type QueueMessage =
  | AskedLook
  | { readonly kind: 'sweep' }
  | { readonly kind: 'heartbeat'; readonly cluster: string }
  /** An exported Kubernetes Event about something else. */
  | { readonly kind: 'ignored'; readonly reason: 'eventOfNoUse' }
  | { readonly kind: 'malformed'; readonly code: string; readonly message: string };

/** A message as it came, and what it asks for. */
export interface ReadRecord<Message extends QueueMessage = QueueMessage> {
  readonly record: SQSRecord;
  readonly message: Message;
}

const malformed = (code: string, message: string): QueueMessage => ({
  kind: 'malformed',
  code,
  message,
});

/**
 * Reads the EventBridge envelope in the body of a queue message. Never throws. An unknown kind is malformed: the
 * rules let none through, so that somebody is mistaken who should hear of it.
 */
export const readQueueMessage = ({ body }: Pick<SQSRecord, 'body'>): QueueMessage => {
  let envelope: unknown;
  try {
    envelope = JSON.parse(body);
  } catch {
    return malformed('notJson', 'body: is not JSON; send the EventBridge envelope as it is');
  }
  const detailType = (envelope as { 'detail-type'?: unknown } | null)?.['detail-type'];
  const read = typeof detailType === 'string' ? readers.get(detailType) : undefined;
  return read === undefined ? unknownKind(detailType) : read(envelope);
};

/** Of one kind of event: checks it against its schema, then says what it asks for. */
const reader =
  <Event>(schema: z.ZodType<Event>, meaning: (event: Event) => QueueMessage) =>
  (envelope: unknown): QueueMessage => {
    const event = schema.safeParse(envelope);
    return event.success ? meaning(event.data) : invalid(event.error.issues);
  };

interface FromCluster {
  readonly source: string;
  readonly detail: { readonly cluster: string };
}

/** The same for events that come from beside a cluster: they speak for that cluster only. */
const clusterReader = <Event extends FromCluster>(
  schema: z.ZodType<Event>,
  meaning: (event: Event) => QueueMessage,
) =>
  reader(schema, (event) => {
    if (isOfOwnCluster(event)) return meaning(event);
    const expected = clusterSourceOf(event.detail.cluster);
    return malformed(
      'sourceMismatch',
      `source: is ${quoted(event.source)}, which may not speak for detail.cluster; send it as ${quoted(expected)}`,
    );
  });

const hint =
  (trigger: HintTrigger) =>
  ({ detail: { cluster } }: Pick<FromCluster, 'detail'>): QueueMessage => ({
    kind: 'hint',
    cluster,
    trigger,
  });

const readers = new Map<string, (envelope: unknown) => QueueMessage>([
  [podPendingDetailType, clusterReader(podPendingEvent, hint('pod-pending'))],
  [nodeSignalDetailType, clusterReader(nodeSignalEvent, hint('node-signal'))],
  [launchFailedDetailType, reader(launchFailedEvent, hint('launch-failed'))],
  [sweepDetailType, reader(sweepEvent, () => ({ kind: 'sweep' }))],
  [lookDetailType, reader(lookEvent, ({ detail }) => ({ kind: 'look', ...detail }))],
  [
    heartbeatDetailType,
    clusterReader(heartbeatEvent, ({ detail: { cluster } }) => ({ kind: 'heartbeat', cluster })),
  ],
  [
    kubernetesEventDetailType,
    clusterReader(kubernetesEvent, (event) => {
      const subject = eventSubject(event.detail);
      if (subject === undefined) {
        return malformed(
          'schema',
          'detail.reason: is missing; give the exporter\'s details the line reason: "{{ .Reason }}"',
        );
      }
      const trigger = hintOfEvent(subject);
      return trigger === undefined
        ? { kind: 'ignored', reason: 'eventOfNoUse' }
        : hint(trigger)(event);
    }),
  ],
]);

const unknownKind = (detailType: unknown): QueueMessage => {
  // Only a text is repeated: anything else may be as deep as a message is long.
  const said = typeof detailType === 'string' ? quoted(detailType) : 'not a text';
  const fault = detailType === undefined ? 'is missing' : `is ${said}`;
  const known = [...readers.keys()].map(quoted).join(', ');
  return malformed('unknownKind', `detail-type: ${fault}; this queue takes ${known}`);
};

/** On one line and of bounded length, whatever was sent. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 150));

const invalid = (issues: readonly SchemaIssue[]): QueueMessage =>
  malformed('schema', issuesText(issues));
