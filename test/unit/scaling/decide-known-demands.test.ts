import { describe, expect, it } from 'vitest';
import { codes, decide, raises } from '../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  group,
  instance,
  nodeOf,
  override,
  pod,
} from '../../helpers/scaling-builders.ts';

const typeIn = (...values: readonly string[]) => ({
  requiredNodeAffinity: [
    {
      matchFields: [],
      matchExpressions: [
        { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values },
      ],
    },
  ],
});

describe('affinity to instance types', () => {
  const mixed = group('mixed', { overrides: [override('m5.large'), override('m5.xlarge')] });

  it('is met by a group whose every type is named, the first override or not', () => {
    const parts = { groups: [mixed], pods: [pod('web', typeIn('m5.xlarge', 'm5.large'))] };
    expect(raises(parts)).toEqual([['mixed', 0, 1]]);
  });

  it('is not promised by a group in which AWS may take another type', () => {
    const parts = { groups: [mixed], pods: [pod('web', typeIn('m5.xlarge'))] };
    expect(decide(parts).scaleUps).toEqual([]);
    expect(codes(parts, 'web')).toEqual([['mixed', 'instanceTypeNotGuaranteed']]);
  });
});

describe('a large pod', () => {
  it('gets a node of its own though all nodes together have room enough', () => {
    const instances = [instance('i-1'), instance('i-2'), instance('i-3')];
    const nodes = instances.map((one) => nodeOf(one));
    const parts = {
      groups: [group('workers-a', { desired: 3, instances })],
      nodes,
      pods: [
        ...nodes.map(({ name }, index) =>
          boundPod(`half-${index}`, name, { requests: cpuAndMemory(1000) }),
        ),
        pod('large', { requests: cpuAndMemory(1800) }),
      ],
    };
    expect(raises(parts)).toEqual([['workers-a', 3, 4]]);
  });
});

describe('pods that ask for network interfaces of their own', () => {
  const eni = 'vpc.amazonaws.com/pod-eni';
  const asking = (count: number) =>
    pod('guarded', { requests: { ...cpuAndMemory(100), [eni]: count } });
  const tag = `k8s.io/cluster-autoscaler/node-template/resources/${eni}`;

  it('get a node from zero of a group whose tag says how many it has', () => {
    const tagged = group('trunking', { tags: { [tag]: '9' } });
    expect(raises({ groups: [tagged], pods: [asking(1)] })).toEqual([['trunking', 0, 1]]);
  });

  it('are told the tag where no group says', () => {
    const { stuck } = decide({ pods: [asking(1)] });
    expect(stuck[0]?.reasons[0]?.message).toContain(tag);
  });
});
