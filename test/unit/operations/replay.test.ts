import { describe, expect, it } from 'vitest';
import { plan } from '#operations/plan.ts';
import { type ReplayedRecord, replay } from '#operations/replay.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a', name: 'p', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
  status: {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
  },
};

const record = (): ReplayedRecord => {
  const recording = { objects: [{ file: 'x', content: pod }], aws: [], problems: [], notes: [] };
  const outcome = plan({ recording, clusters: [] }, { nowMs: () => 0 });
  if ('refused' in outcome) throw new Error(outcome.refused);
  return { input: outcome.input, decision: decideScaleUp(outcome.input) };
};

describe('replaying a decision', () => {
  it('gives the same one, through JSON and back', () => {
    const journalled = JSON.parse(JSON.stringify(record())) as ReplayedRecord;
    const outcome = replay(journalled);
    expect(outcome.difference).toBeUndefined();
    expect(JSON.stringify(outcome.decision)).toBe(JSON.stringify(journalled.decision));
    expect(outcome.decision.stuck.map((stuck) => stuck.pod)).toEqual(['a/p']);
  });

  it('names the first place where it differs', () => {
    const { input, decision } = record();
    const [stuck] = decision.stuck;
    const changed = {
      ...decision,
      stuck: [{ ...stuck, pod: 'a/q', reasons: stuck?.reasons ?? [] }],
    };
    expect(replay({ input, decision: changed }).difference).toEqual({
      path: 'stuck[0].pod',
      journalled: '"a/q"',
      replayed: '"a/p"',
    });
  });

  it('sees what is missing, what is new and another order of fields', () => {
    const { input, decision } = record();
    expect(replay({ input, decision: { ...decision, stuck: [] } }).difference).toMatchObject({
      path: 'stuck[0]',
      journalled: 'nothing',
    });
    const { scaleUps, ...rest } = decision;
    expect(replay({ input, decision: { ...rest, scaleUps } }).difference?.path).toBe('');
    const fit = { pod: 'x', node: 'y' };
    expect(replay({ input, decision: { ...decision, fits: [fit] } }).difference).toMatchObject({
      path: 'fits[0]',
      replayed: 'nothing',
    });
  });
});
