import { describe, expect, it } from 'vitest';
import { allocatable } from '#kubelet/allocatable.ts';
import type { MachineFacts } from '#kubelet/machine.ts';
import { maxPodsOf, runsVpcCni } from '#kubelet/max-pods.ts';
import { defaultKubeletPolicy } from '#kubelet/policy.ts';
import { kubeReservedAmounts } from '#kubelet/reserved.ts';

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;

const m5large: MachineFacts = {
  vcpu: 2,
  memoryMiB: 8192,
  maxNetworkInterfaces: 3,
  ipv4PerInterface: 10,
  devices: {},
};

describe('max pods', () => {
  it('counts interface addresses less the interface itself, plus two on the host network', () => {
    expect(maxPodsOf('eni', m5large, false)).toBe(29);
  });

  it('is the kubelet default where no VPC CNI runs and nothing is said', () => {
    expect(maxPodsOf('auto', m5large, false)).toBe(110);
    expect(maxPodsOf('auto', m5large, true)).toBe(29);
  });

  it('is the number given, whatever the network', () => {
    expect(maxPodsOf(58, m5large, true)).toBe(58);
  });

  it('is unknown rather than guessed where the network limits are missing', () => {
    expect(maxPodsOf('eni', { ...m5large, maxNetworkInterfaces: 0 }, true)).toBeUndefined();
    expect(maxPodsOf('auto', { ...m5large, ipv4PerInterface: 0 }, true)).toBeUndefined();
  });

  it('knows the VPC CNI by its DaemonSet', () => {
    expect(runsVpcCni([{ namespace: 'kube-system', name: 'aws-node' }])).toBe(true);
    expect(runsVpcCni([{ namespace: 'default', name: 'aws-node' }])).toBe(false);
    expect(runsVpcCni([{ namespace: 'kube-system', name: 'cilium' }])).toBe(false);
  });
});

describe('kube-reserved', () => {
  it.each([
    [1, 60],
    [2, 70],
    [3, 75],
    [4, 80],
    [8, 90],
    [16, 110],
    [96, 310],
    [192, 550],
  ])('takes from %i cores %i milli-CPU', (vcpu, milliCpu) => {
    expect(kubeReservedAmounts('formula', vcpu, 29).milliCpu).toBe(milliCpu);
  });

  it('rounds a fraction of a milli-CPU against the node', () => {
    expect(kubeReservedAmounts('formula', 5, 29).milliCpu).toBe(83);
  });

  it('takes memory by pods', () => {
    expect(kubeReservedAmounts('formula', 2, 29).memoryBytes).toBe(574 * MiB);
  });

  it('is what the policy gives, where it gives amounts', () => {
    const given = { milliCpu: 1, memoryBytes: 2, ephemeralStorageBytes: 3 };
    expect(kubeReservedAmounts(given, 96, 110)).toEqual(given);
  });
});

describe('allocatable of a node before it exists', () => {
  it('is capacity less VM overhead, reservations and eviction thresholds', () => {
    const amounts = allocatable({
      machine: m5large,
      maxPods: 29,
      policy: { ...defaultKubeletPolicy, vmMemoryOverheadPerMille: 75 },
    });
    const shown = Math.floor((8192 * MiB * 925) / 1000);
    expect(amounts.capacity).toEqual({
      cpu: 2000,
      memory: shown,
      'ephemeral-storage': 20 * GiB,
      pods: 29,
    });
    expect(amounts.allocatable).toEqual({
      cpu: 1930,
      memory: shown - 574 * MiB - 100 * MiB,
      'ephemeral-storage': 17 * GiB,
      pods: 29,
    });
  });

  it('agrees with the published figure for an a1.medium', () => {
    const a1medium: MachineFacts = {
      ...m5large,
      vcpu: 1,
      memoryMiB: 2048 - 64,
      maxNetworkInterfaces: 2,
      ipv4PerInterface: 4,
    };
    const { allocatable: amounts } = allocatable({
      machine: a1medium,
      maxPods: 8,
      policy: { ...defaultKubeletPolicy, vmMemoryOverheadPerMille: 75 },
    });
    expect(amounts.cpu).toBe(940);
    expect(Math.floor((amounts.memory ?? 0) / MiB)).toBe(1392);
  });

  it('takes ephemeral storage from the root volume of the launch template', () => {
    const amounts = allocatable({
      machine: m5large,
      rootVolumeGiB: 100,
      maxPods: 29,
      policy: defaultKubeletPolicy,
    });
    expect(amounts.capacity['ephemeral-storage']).toBe(100 * GiB);
    expect(amounts.allocatable['ephemeral-storage']).toBe(89 * GiB);
  });

  it('hands out every device of the type', () => {
    const amounts = allocatable({
      machine: { ...m5large, devices: { 'nvidia.com/gpu': 4 } },
      maxPods: 29,
      policy: defaultKubeletPolicy,
    });
    expect(amounts.allocatable['nvidia.com/gpu']).toBe(4);
    expect(amounts.capacity['nvidia.com/gpu']).toBe(4);
  });

  it('is exact for the largest machines', () => {
    const amounts = allocatable({
      machine: { ...m5large, vcpu: 1920, memoryMiB: 33_554_433 },
      maxPods: 737,
      policy: { ...defaultKubeletPolicy, vmMemoryOverheadPerMille: 55 },
    });
    const shown = ((33_554_433n << 20n) * 945n) / 1000n;
    expect(amounts.capacity.memory).toBe(Number(shown));
    expect(amounts.allocatable.memory).toBe(Number(shown - BigInt((11 * 737 + 255 + 100) * MiB)));
  });

  it('is never negative on a machine too small for its reservations', () => {
    const amounts = allocatable({
      machine: { ...m5large, memoryMiB: 512 },
      rootVolumeGiB: 1,
      maxPods: 110,
      policy: defaultKubeletPolicy,
    });
    expect(amounts.allocatable.memory).toBe(0);
    expect(amounts.allocatable['ephemeral-storage']).toBe(0);
  });

  it('subtracts system-reserved and thresholds of the policy', () => {
    const amounts = allocatable({
      machine: m5large,
      maxPods: 10,
      policy: {
        maxPods: 10,
        kubeReserved: { milliCpu: 0, memoryBytes: 0, ephemeralStorageBytes: 0 },
        systemReserved: { milliCpu: 250, memoryBytes: GiB, ephemeralStorageBytes: 2 * GiB },
        evictionHardMemoryBytes: GiB,
        evictionHardNodefsPerMille: 0,
        vmMemoryOverheadPerMille: 0,
      },
    });
    expect(amounts.allocatable).toEqual({
      cpu: 1750,
      memory: 6 * GiB,
      'ephemeral-storage': 18 * GiB,
      pods: 10,
    });
  });

  const storageOf = (machine: MachineFacts, instanceStorePolicy?: 'RAID0') =>
    allocatable({
      machine,
      rootVolumeGiB: 50,
      maxPods: 29,
      policy: {
        ...defaultKubeletPolicy,
        ...(instanceStorePolicy === undefined ? {} : { instanceStorePolicy }),
      },
    }).capacity['ephemeral-storage'];

  it('has storage of the instance store only where the policy says so and the type has one', () => {
    const m5dlarge = { ...m5large, instanceStoreGB: 75 };
    expect(storageOf(m5dlarge)).toBe(50 * GiB);
    expect(storageOf(m5dlarge, 'RAID0')).toBe(74_250_000_000);
    expect(storageOf(m5large, 'RAID0')).toBe(50 * GiB);
  });
});
