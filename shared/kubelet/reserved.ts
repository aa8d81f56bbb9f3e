import type { KubeletPolicy, ReservedAmounts } from './policy.ts';

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;

/**
 * What `kubeReserved` takes. The published formula (Amazon's nodeadm and its predecessor bootstrap.sh):
 * memory 11 MiB per pod and 255 MiB; CPU 6 % of the first core, 1 % of the second, 0.5 % of the next
 * two, 0.25 % of each above, rounded up to a whole milli-CPU; 1 GiB of ephemeral storage.
 */
export const kubeReservedAmounts = (
  kubeReserved: KubeletPolicy['kubeReserved'],
  vcpu: number,
  maxPods: number,
): ReservedAmounts =>
  kubeReserved === 'formula'
    ? {
        milliCpu: reservedMilliCpu(vcpu),
        memoryBytes: (11 * maxPods + 255) * MiB,
        ephemeralStorageBytes: GiB,
      }
    : kubeReserved;

/** In hundredths of a milli-CPU per core, so that nothing is a fraction until the end. */
const reservedMilliCpu = (vcpu: number): number => {
  const first = Math.min(vcpu, 1) * 6000;
  const second = between(vcpu, 1, 2) * 1000;
  const nextTwo = between(vcpu, 2, 4) * 500;
  const above = Math.max(vcpu - 4, 0) * 250;
  return Math.ceil((first + second + nextTwo + above) / 100);
};

const between = (value: number, from: number, to: number): number =>
  Math.max(Math.min(value, to) - from, 0);
