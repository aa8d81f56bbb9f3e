import type { SQSRecord } from 'aws-lambda';
import {
  podPendingDetailType,
  podPendingEvent,
  podPendingSourcePrefix,
} from '#events/pod-pending.ts';
import { sweepDetailType, sweepEvent } from '#events/sweep.ts';

/** What a message asks for. `malformed` says in one line which field is wrong and what to do. */
export type Message =
  | { readonly kind: 'pod-pending'; readonly cluster: string }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'malformed'; readonly code: string; readonly message: string };

const malformed = (code: string, message: string): Message => ({
  kind: 'malformed',
  code,
  message,
});

/** Reads the EventBridge envelope in the body of a queue message. Never throws. */
export const readMessage = ({ body }: Pick<SQSRecord, 'body'>): Message => {
  let envelope: unknown;
  try {
    envelope = JSON.parse(body);
  } catch {
    return malformed('notJson', 'body: is not JSON; send the EventBridge envelope as it is');
  }
  const detailType = (envelope as { 'detail-type'?: unknown } | null)?.['detail-type'];
  if (detailType === podPendingDetailType) return readPodPending(envelope);
  if (detailType === sweepDetailType) {
    const sweep = sweepEvent.safeParse(envelope);
    return sweep.success ? { kind: 'sweep' } : invalid(sweep.error.issues);
  }
  return malformed(
    'unknownKind',
    `detail-type: is ${JSON.stringify(detailType) ?? 'absent'}; this queue takes "${podPendingDetailType}" and "${sweepDetailType}"`,
  );
};

const readPodPending = (envelope: unknown): Message => {
  const event = podPendingEvent.safeParse(envelope);
  if (!event.success) return invalid(event.error.issues);
  const { source, detail } = event.data;
  // The bus lets each relay send its own cluster's source only; what the detail claims is not checked there.
  const expected = `${podPendingSourcePrefix}${detail.cluster}`;
  if (source !== expected) {
    return malformed(
      'sourceMismatch',
      `source: is ${source}, but detail.cluster is ${detail.cluster}; send it as ${expected}`,
    );
  }
  return { kind: 'pod-pending', cluster: detail.cluster };
};

const invalid = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): Message =>
  malformed(
    'schema',
    issues
      .slice(0, 3)
      .map(({ path, message }) => `${path.map(String).join('.') || 'envelope'}: ${message}`)
      .join('; '),
  );
