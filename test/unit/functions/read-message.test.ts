import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../functions/scale-up/read-message.ts';
import { sampleNames, sampleText } from '../../helpers/event-samples.ts';

describe('readMessage', () => {
  it('reads the sample of each event', () => {
    expect(readMessage({ body: sampleText('pod-pending') })).toEqual({
      kind: 'pod-pending',
      cluster: 'alpha',
    });
    expect(readMessage({ body: sampleText('sweep') })).toEqual({ kind: 'sweep' });
  });

  it.each([
    ['broken-pod-pending-without-network', 'schema', 'detail.network: '],
    ['broken-pod-pending-without-uid', 'schema', 'detail.pods.0.uid: '],
    ['broken-pod-pending-of-another-source', 'schema', 'source: '],
    ['broken-pod-pending-for-another-cluster', 'sourceMismatch', 'source: '],
    ['broken-sweep-without-network', 'schema', 'detail.network: '],
    ['broken-unknown-kind', 'unknownKind', 'detail-type: '],
  ])('calls %s malformed, by its field', (name, code, field) => {
    const message = readMessage({ body: sampleText(name) });
    expect(message).toEqual({ kind: 'malformed', code, message: expect.stringContaining(field) });
  });

  it('takes no sample for good that is named broken', () => {
    const good = sampleNames.filter(
      (name) => readMessage({ body: sampleText(name) }).kind !== 'malformed',
    );
    expect(good).toEqual(['pod-pending', 'sweep']);
  });
});
