import { describe, expect, it } from 'vitest';
import { decide, raises } from '../../helpers/decide.ts';
import {
  cpuAndMemory,
  daemonSet,
  GiB,
  group,
  launchTemplate,
  MiB,
  minute,
  now,
  pod,
  pods,
} from '../../helpers/scaling-builders.ts';

/** Without the scheduler's replay: as few nodes as pods can be packed on. */
const packedOnly = { replaysScheduler: false };

describe('counting new nodes', () => {
  it('gives each pod with the same host port a node of its own', () => {
    const hostPorts = [{ protocol: 'TCP' as const, hostIp: '0.0.0.0', port: 80 }];
    expect(raises({ pods: pods(3, 'web', { requests: {}, hostPorts }) })).toEqual([
      ['workers-a', 0, 3],
    ]);
  });

  it('takes pods as a resource even where they ask for nothing', () => {
    expect(
      raises({
        daemonSets: [daemonSet('aws-node', { requests: {} })],
        pods: pods(57, 'tiny', { requests: {} }),
      }),
    ).toEqual([['workers-a', 0, 3]]);
  });

  it('knows the GPUs of the type from zero, for two pods as for one', () => {
    const parts = {
      groups: [group('gpu', { launchTemplate: { id: 'lt-g4', version: '1' } })],
      pods: pods(2, 'train', { requests: { cpu: 100, memory: MiB, 'nvidia.com/gpu': 1 } }),
    };
    expect(raises(parts)).toEqual([['gpu', 0, 2]]);
  });

  it('judges allocatable, not capacity: a pod of the size of the machine gets no useless node', () => {
    const parts = { pods: [pod('big', { requests: cpuAndMemory(2000) })] };
    expect(decide(parts)).toMatchObject({
      scaleUps: [],
      stuck: [
        {
          reasons: [{ message: 'Insufficient cpu: needs 2 CPU, a new m5.large offers 1.93 CPU' }],
        },
      ],
    });
  });

  it('packs large pods first, so that small ones fill the gaps', () => {
    const parts = {
      pods: [
        ...pods(2, 'small', { requests: cpuAndMemory(600), createdAtMs: now - 9 * minute }),
        ...pods(2, 'large', { requests: cpuAndMemory(1300) }),
      ],
    };
    expect(raises({ ...parts, policy: packedOnly })).toEqual([['workers-a', 0, 2]]);
    // The scheduler takes the small ones first, which are older, and puts one on each of the two nodes.
    expect(raises(parts)).toEqual([['workers-a', 0, 3]]);
  });

  it('does not add ten 0.1 CPU wrongly', () => {
    const parts = {
      pods: pods(10, 'tenth', { requests: { cpu: 100 } }),
      policy: {
        groups: [{ match: '*', resources: { cpu: 1000 } }],
      },
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });

  it('takes ephemeral storage from the root volume', () => {
    const parts = {
      pods: [pod('scratch', { requests: { 'ephemeral-storage': 18 * GiB } })],
      launchTemplates: [launchTemplate('lt-m5', { rootVolumeGiB: 50 })],
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
    const { rootVolumeGiB: _, ...silent } = launchTemplate('lt-m5');
    const [reason] = decide({ ...parts, launchTemplates: [silent] }).stuck[0]?.reasons ?? [];
    expect(reason?.message).toBe(
      'Insufficient ephemeral-storage: needs 18 GiB, a new m5.large offers 17 GiB (m5.large: no root volume in the launch template, 20 GiB taken)',
    );
  });

  it('never takes a PreferNoSchedule taint for a hard one', () => {
    const parts = {
      groups: [
        group('workers-a', {
          tags: { 'k8s.io/cluster-autoscaler/node-template/taint/spot': ':PreferNoSchedule' },
        }),
      ],
      pods: [pod('web')],
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });
});
