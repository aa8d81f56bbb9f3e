import { describe, expect, it } from 'vitest';
import { codes, decide, raises } from '../../helpers/decide.ts';
import {
  cpuAndMemory,
  GiB,
  group,
  instance,
  instanceType,
  override,
  pod,
  pods,
} from '../../helpers/scaling-builders.ts';

describe('groups in which AWS chooses', () => {
  const zonal = { 'topology.kubernetes.io/zone': 'us-east-1b' };
  const wide = group('wide', { zones: ['us-east-1a', 'us-east-1b'] });

  it('help no pod that needs one of their zones, and say what would', () => {
    const parts = { groups: [wide], pods: [pod('db', { nodeSelector: zonal })] };
    const [reason] = decide(parts).stuck[0]?.reasons ?? [];
    expect(reason?.code).toBe('zoneNotGuaranteed');
    expect(reason?.message).toContain('only us-east-1b would do');
    expect(reason?.message).toContain('use a group of one zone');
  });

  it('leave such a pod to the group of that zone', () => {
    const parts = {
      groups: [wide, group('only-b', { zones: ['us-east-1b'] })],
      pods: [pod('db', { nodeSelector: zonal })],
    };
    expect(raises(parts)).toEqual([['only-b', 0, 1]]);
  });

  it("help a pod that any of their zones suits, by the EBS driver's label too", () => {
    const parts = {
      groups: [wide],
      pods: [
        pod('db', {
          requiredNodeAffinity: [
            {
              matchFields: [],
              matchExpressions: [
                {
                  key: 'topology.ebs.csi.aws.com/zone',
                  operator: 'In',
                  values: ['us-east-1a', 'us-east-1b'],
                },
              ],
            },
          ],
        }),
      ],
    };
    expect(raises(parts)).toEqual([['wide', 0, 1]]);
  });

  it('help no pod that only their larger type could hold', () => {
    const parts = {
      groups: [group('mixed', { overrides: [override('m5.xlarge'), override('m5.large')] })],
      pods: [pod('big', { requests: cpuAndMemory(3000) })],
    };
    const [reason] = decide(parts).stuck[0]?.reasons ?? [];
    expect(reason?.code).toBe('instanceTypeNotGuaranteed');
    expect(reason?.message).toContain('only m5.xlarge would do');
  });

  it('count nodes by the smallest of their types', () => {
    const parts = {
      groups: [group('mixed', { overrides: [override('m5.xlarge'), override('m5.large')] })],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
    };
    expect(raises(parts)).toEqual([['mixed', 0, 3]]);
  });

  it('take each resource from the type that has least of it', () => {
    const parts = {
      groups: [group('mixed', { overrides: [override('many-cpus'), override('much-memory')] })],
      instanceTypes: [
        instanceType('many-cpus', { vcpu: 8, memoryMiB: 4096 }),
        instanceType('much-memory', { vcpu: 2, memoryMiB: 65536 }),
      ],
      pods: [pod('either', { requests: cpuAndMemory(1500, 2 * GiB) })],
    };
    expect(raises(parts)).toEqual([['mixed', 0, 1]]);
    expect(raises({ ...parts, pods: [pod('cpu', { requests: cpuAndMemory(3000) })] })).toEqual([]);
    expect(
      raises({ ...parts, pods: [pod('mem', { requests: cpuAndMemory(1, 9 * GiB) })] }),
    ).toEqual([]);
  });

  it('know the zone and type of an instance that is already starting', () => {
    const starting = instance('i-1', { zone: 'us-east-1b' });
    const parts = {
      groups: [{ ...wide, desired: 1, instances: [starting] }],
      pods: [pod('db', { nodeSelector: zonal })],
    };
    expect(decide(parts).fits).toEqual([
      { pod: 'default/db', node: 'group/wide/coming-1', group: 'wide' },
    ]);
  });

  it('give the instance that comes to the pod that needs its zone; who it came for is planned anew', () => {
    const large = { requests: cpuAndMemory(1500) };
    const looked = (seen: Partial<typeof wide>) => ({
      groups: [{ ...wide, max: 1, ...seen }, group('zone-a')],
      pods: [pod('db', { nodeSelector: zonal, ...large }), pod('web', large)],
    });
    const before = looked({});
    expect(decide(before).scaleUps.map(({ group: name, pods: taken }) => [name, taken])).toEqual([
      ['wide', ['default/web']],
    ]);
    expect(codes(before, 'db')).toEqual([
      ['wide', 'zoneNotGuaranteed'],
      ['zone-a', 'nodeSelector'],
    ]);
    expect(raises(looked({ desired: 1 }))).toEqual([]);

    const launchedIn = (zone: string) =>
      looked({ desired: 1, instances: [instance('i-1', { zone })] });
    expect(raises(launchedIn('us-east-1a'))).toEqual([]);
    const inB = decide(launchedIn('us-east-1b'));
    expect(inB.fits).toEqual([{ pod: 'default/db', node: 'group/wide/coming-1', group: 'wide' }]);
    expect(inB.scaleUps.map(({ group: name, pods: taken }) => [name, taken])).toEqual([
      ['zone-a', ['default/web']],
    ]);
    expect(inB.stuck).toEqual([]);
  });
});

describe('policy of groups', () => {
  it('applies the first entry that matches, under the tags', () => {
    const parts = {
      groups: [
        group('team-red', {
          tags: { 'k8s.io/cluster-autoscaler/node-template/label/colour': 'red' },
        }),
      ],
      policy: {
        groups: [
          { match: 'team-*', labels: { colour: 'grey', size: 'small' } },
          { match: '*', labels: { size: 'large' } },
        ],
      },
    };
    const fits = (nodeSelector: Record<string, string>) =>
      raises({ ...parts, pods: [pod('web', { nodeSelector })] }).length === 1;
    expect(fits({ colour: 'red' })).toBe(true);
    expect(fits({ colour: 'grey' })).toBe(false);
    expect(fits({ size: 'small' })).toBe(true);
    expect(fits({ size: 'large' })).toBe(false);
  });

  it('gives taints and kubelet settings', () => {
    const taints = [{ key: 'dedicated', value: 'x', effect: 'NoExecute' as const }];
    expect(
      raises({ pods: [pod('web')], policy: { groups: [{ match: 'workers-?', taints }] } }),
    ).toEqual([['workers-a', 0, 1]]);
    expect(raises({ pods: [pod('web')], policy: { groups: [{ match: '*-a', taints }] } })).toEqual(
      [],
    );
    expect(
      raises({
        pods: pods(2, 'web', { requests: {} }),
        policy: { groups: [{ match: '*', kubelet: { maxPods: 1 } }] },
      }),
    ).toEqual([['workers-a', 0, 2]]);
  });
});
