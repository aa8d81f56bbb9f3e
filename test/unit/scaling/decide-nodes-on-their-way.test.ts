import { describe, expect, it } from 'vitest';
import { codes, decide, raises } from '../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  GiB,
  group,
  instance,
  minute,
  nodeOf,
  now,
  pod,
  pods,
} from '../../helpers/scaling-builders.ts';

describe('nodes on their way', () => {
  it('are not asked for twice before the scheduler has bound the pod', () => {
    const decision = decide({
      groups: [group('workers-a', { desired: 1 })],
      pods: [pod('web')],
    });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits).toEqual([
      { pod: 'default/web', node: 'group/workers-a/coming-1', group: 'workers-a' },
    ]);
  });

  it('are known from the ledger while the group does not say it yet', () => {
    const ledger = [{ group: 'workers-a', generation: 1, to: 1, instances: {} }];
    expect(raises({ ledger, pods: [pod('web')] })).toEqual([]);
    expect(raises({ ledger, pods: pods(2, 'web', { requests: cpuAndMemory(1500) }) })).toEqual([
      ['workers-a', 0, 2],
    ]);
  });

  it('take no more pods than a real node of the group would', () => {
    const decision = decide({
      groups: [group('workers-a', { desired: 1 })],
      pods: pods(3, 'web', { requests: cpuAndMemory(900) }),
    });
    expect(decision.fits).toHaveLength(2);
    expect(decision.scaleUps).toMatchObject([{ from: 1, to: 2 }]);
    expect(decision.scaleUps[0]?.reason).toContain(
      'the 0 nodes of the cluster and the 1 on the way',
    );
  });

  it('count once while their Node carries a startup taint', () => {
    const starting = instance('i-1');
    const parts = {
      groups: [group('workers-a', { desired: 1, instances: [starting] })],
      nodes: [
        nodeOf(starting, {
          createdAtMs: now - minute,
          taints: [
            {
              key: 'startup-taint.cluster-autoscaler.kubernetes.io/cni',
              value: '',
              effect: 'NoSchedule',
            },
          ],
        }),
      ],
      pods: [pod('web')],
    };
    expect(decide(parts).fits).toEqual([
      { pod: 'default/web', node: 'group/workers-a/coming-1', group: 'workers-a' },
    ]);
    expect(raises(parts)).toEqual([]);
  });

  it('count while a Ready GPU node has no device yet, for more than one pod', () => {
    const gpus = [
      instance('i-1', { type: 'g4dn.xlarge' }),
      instance('i-2', { type: 'g4dn.xlarge' }),
    ];
    const gpuPods = pods(2, 'train', {
      requests: { cpu: 1000, memory: GiB, 'nvidia.com/gpu': 1 },
    });
    const parts = {
      groups: [
        group('gpu', {
          desired: 2,
          instances: gpus,
          launchTemplate: { id: 'lt-g4', version: '1' },
        }),
      ],
      nodes: gpus.map((one) => nodeOf(one, { createdAtMs: now - minute })),
      pods: gpuPods,
    };
    expect(raises(parts)).toEqual([]);
    expect(decide(parts).fits).toHaveLength(2);
  });

  it('stop counting when the start limit has passed without the device', () => {
    const gpu = instance('i-1', { type: 'g4dn.xlarge' });
    const parts = {
      groups: [
        group('gpu', {
          desired: 1,
          instances: [gpu],
          launchTemplate: { id: 'lt-g4', version: '1' },
        }),
      ],
      nodes: [nodeOf(gpu, { createdAtMs: now - 16 * minute })],
      pods: [pod('train', { requests: { cpu: 1000, memory: GiB, 'nvidia.com/gpu': 1 } })],
    };
    expect(raises(parts)).toEqual([['gpu', 1, 2]]);
  });

  it('keep the room of pods that are bound to them already', () => {
    const starting = instance('i-1');
    const parts = {
      groups: [group('workers-a', { desired: 1, instances: [starting] })],
      nodes: [nodeOf(starting, { createdAtMs: now - minute, ready: 'False' })],
      pods: [boundPod('early', 'node-i-1', { requests: cpuAndMemory(1500) }), pod('web')],
    };
    expect(raises(parts)).toEqual([['workers-a', 1, 2]]);
  });

  it('do not come in a group whose Launch process is suspended', () => {
    const parts = {
      groups: [group('workers-a', { desired: 1, suspendedProcesses: ['Launch'] })],
      pods: [pod('web')],
    };
    const decision = decide(parts);
    expect(decision.fits).toEqual([]);
    expect(codes(parts, 'web')).toEqual([['workers-a', 'launchSuspended']]);
    expect(decision.blockedGroups.map(({ code }) => code)).toEqual(['launchSuspended']);
  });

  it('take the pods that nothing else can take before those that have a choice', () => {
    const tags = { 'k8s.io/cluster-autoscaler/node-template/label/pool': 'a' };
    const parts = {
      groups: [group('a', { desired: 1, tags }), group('b', { desired: 1 })],
      pods: [
        pod('anywhere', { requests: cpuAndMemory(1500) }),
        pod('only-a', { requests: cpuAndMemory(1000), nodeSelector: { pool: 'a' } }),
      ],
    };
    expect(decide(parts).fits.map(({ pod: name, group: of }) => [name, of])).toEqual([
      ['default/anywhere', 'b'],
      ['default/only-a', 'a'],
    ]);
    expect(raises(parts)).toEqual([]);
  });

  it('offer their room once, not as a Ready Node as well', () => {
    const gpu = instance('i-1', { type: 'g4dn.xlarge' });
    const parts = {
      groups: [
        group('gpu', {
          desired: 1,
          instances: [gpu],
          launchTemplate: { id: 'lt-g4', version: '1' },
        }),
      ],
      nodes: [nodeOf(gpu, { createdAtMs: now - minute })],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
    };
    expect(decide(parts).fits.map(({ node: name }) => name)).toEqual([
      'group/gpu/coming-1',
      'group/gpu/coming-1',
    ]);
    expect(raises(parts)).toEqual([['gpu', 1, 2]]);
  });
});
