import { describe, expect, it } from 'vitest';
import { clusterDetailTypes } from '#events/cluster-events.ts';
import { nodeSignalReasons } from '#events/kubernetes-event.ts';
import { readQueueMessage } from '../../../functions/scale-up/read-queue-message.ts';
import { sampleNames, sampleText } from '../../helpers/event-samples.ts';

const readSample = (name: string) => readQueueMessage({ body: sampleText(name) });
const hint = (trigger: string) => ({ kind: 'hint', cluster: 'alpha', trigger });

describe('readQueueMessage', () => {
  it.each([
    ['pod-pending', hint('pod-pending')],
    ['node-signal', hint('node-signal')],
    ['launch-failed', hint('launch-failed')],
    ['look', { kind: 'look', cluster: 'alpha', because: 'sweep', step: 1 }],
    ['sweep', { kind: 'sweep' }],
    ['heartbeat', { kind: 'heartbeat', cluster: 'alpha' }],
    ['kubernetes-event-failed-scheduling', hint('pod-pending')],
    ['kubernetes-event-below-details', hint('pod-pending')],
    ['kubernetes-event-whole', hint('pod-pending')],
    ['kubernetes-event-object-unknown', hint('pod-pending')],
    ['kubernetes-event-node-not-ready', hint('node-signal')],
    ['ignored-kubernetes-event-of-a-pod', { kind: 'ignored', reason: 'eventOfNoUse' }],
    ['ignored-kubernetes-event-of-another-kind', { kind: 'ignored', reason: 'eventOfNoUse' }],
    ['ignored-kubernetes-event-of-a-node', { kind: 'ignored', reason: 'eventOfNoUse' }],
  ])('reads %s, and passes on no more than it may', (name, message) => {
    expect(readSample(name)).toEqual(message);
  });

  it.each([
    ['broken-pod-pending-without-network', 'schema', 'detail.network: '],
    ['broken-pod-pending-without-uid', 'schema', 'detail.pods.0.uid: '],
    ['broken-pod-pending-of-another-source', 'schema', 'source: '],
    ['broken-pod-pending-for-another-cluster', 'sourceMismatch', 'source: '],
    ['broken-sweep-without-network', 'schema', 'detail.network: '],
    ['broken-node-signal-without-node', 'schema', 'detail.node: '],
    ['broken-node-signal-for-another-cluster', 'sourceMismatch', 'source: '],
    ['broken-heartbeat-for-another-cluster', 'sourceMismatch', 'source: '],
    ['broken-heartbeat-without-time', 'schema', 'detail.sentAt: '],
    ['broken-launch-failed-of-a-relay', 'schema', 'source: '],
    ['broken-look-without-step', 'schema', 'detail.step: '],
    ['broken-look-of-a-relay', 'schema', 'source: '],
    ['broken-kubernetes-event-without-reason', 'schema', 'detail.reason: '],
    ['broken-kubernetes-event-without-cluster', 'schema', 'detail.cluster: '],
    ['broken-kubernetes-event-for-another-cluster', 'sourceMismatch', 'source: '],
    ['broken-unknown-kind', 'unknownKind', 'detail-type: '],
  ])('calls %s malformed, by its field', (name, code, field) => {
    expect(readSample(name)).toEqual({
      kind: 'malformed',
      code,
      message: expect.stringContaining(field),
    });
  });

  it.each([
    ['{}', /^detail-type: is missing; this queue takes "/],
    ['null', /^detail-type: is missing; /],
    ['[1]', /^detail-type: is missing; /],
    ['{"detail-type":7}', /^detail-type: is not a text; /],
    ['{"detail-type":"x"}', /^detail-type: is "x"; /],
  ])('tells a missing kind from one that is none: %s', (body, said) => {
    expect(readQueueMessage({ body })).toMatchObject({
      code: 'unknownKind',
      message: expect.stringMatching(said),
    });
  });

  it('takes no sample for good that is named broken, and none for a hint that is named ignored', () => {
    const kinds = sampleNames.map((name) => [name, readSample(name).kind] as const);
    const named = (prefix: string) => sampleNames.filter((name) => name.startsWith(prefix));
    const read = (kind: string) => kinds.filter(([, each]) => each === kind).map(([name]) => name);
    expect(read('malformed')).toEqual(named('broken-'));
    expect(read('ignored')).toEqual(named('ignored-'));
  });

  it.each(nodeSignalReasons)(
    'takes the Event %s of a node for a hint, and of a pod not',
    (reason) => {
      const sample = JSON.parse(sampleText('kubernetes-event-node-not-ready'));
      const about = (kind: string) =>
        readQueueMessage({
          body: JSON.stringify({ ...sample, detail: { ...sample.detail, reason, kind } }),
        });
      expect(about('Node')).toEqual(hint('node-signal'));
      expect(about('Pod')).toEqual({ kind: 'ignored', reason: 'eventOfNoUse' });
    },
  );

  it.each(clusterDetailTypes)('lets nobody send %s for another cluster', (detailType) => {
    const sample = sampleNames
      .map((name) => JSON.parse(sampleText(name)))
      .find((each) => each['detail-type'] === detailType && readable(each));
    const forged = { ...sample, detail: { ...sample.detail, cluster: 'other' } };
    expect(readQueueMessage({ body: JSON.stringify(forged) })).toMatchObject({
      kind: 'malformed',
      code: 'sourceMismatch',
    });
  });
});

const readable = (envelope: unknown): boolean =>
  readQueueMessage({ body: JSON.stringify(envelope) }).kind !== 'malformed';
