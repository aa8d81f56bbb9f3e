import { describe, expect, it } from 'vitest';
import { decide, raises } from '../../helpers/decide.ts';
import {
  backOff,
  boundPod,
  cpuAndMemory,
  group,
  instance,
  ledgerEntry,
  nodeOf,
  pod,
  pods,
} from '../../helpers/scaling-builders.ts';

const large = { requests: cpuAndMemory(1500) };
const warmed = ['i-w1', 'i-w2'].map((id) => instance(id, { lifecycleState: 'Warmed:Stopped' }));
const pooled = group('pooled', { warmPool: { size: 2, state: 'Stopped' }, instances: warmed });

describe('a group with a warm pool', () => {
  it('is raised for pods as any other: what waits there is neither desired nor on its way', () => {
    expect(raises({ groups: [pooled], pods: pods(3, 'web', large) })).toEqual([['pooled', 0, 3]]);
  });

  it('is not asked twice while AWS takes an instance out of the pool for a raise', () => {
    const leaving = instance('i-w1', { lifecycleState: 'Pending' });
    const parts = {
      groups: [{ ...pooled, desired: 1, instances: [leaving, ...warmed.slice(1)] }],
      pods: [pod('web', large)],
    };
    expect(decide(parts)).toMatchObject({ scaleUps: [], fits: [{ pod: 'default/web' }] });
  });

  it('takes the Node that an instance brings back from the pool for one on its way, with its pods', () => {
    const back = instance('i-w1', { lifecycleState: 'Pending' });
    const parts = {
      groups: [{ ...pooled, desired: 1, instances: [back] }],
      nodes: [nodeOf(back, { ready: 'Unknown' })],
      pods: [pod('web', large), boundPod('old', 'node-i-w1', { requests: cpuAndMemory(500) })],
    };
    expect(raises(parts)).toEqual([['pooled', 1, 2]]);
    expect(decide({ ...parts, pods: parts.pods.slice(0, 1) }).fits).toHaveLength(1);
  });

  it('is not taken back to less than its instances in service, whatever waits in the pool', () => {
    const running = instance('i-1', { protectedFromScaleIn: true });
    const parts = {
      groups: [
        { ...pooled, desired: 4, instances: [running, ...warmed], newInstancesProtected: true },
      ],
      nodes: [nodeOf(running)],
      ledger: [ledgerEntry('pooled', { backOff: backOff() })],
    };
    expect(decide(parts).takeBacks).toMatchObject([{ from: 4, to: 1 }]);
  });
});
