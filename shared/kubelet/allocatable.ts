import type { Resources } from '#cluster/resources.ts';
import type { MachineFacts } from './machine.ts';
import type { KubeletPolicy } from './policy.ts';
import { kubeReservedAmounts } from './reserved.ts';

/** Size of the root volume where the launch template gives none: that of Amazon's node images. */
export const defaultRootVolumeGiB = 20;

export interface AllocatableRequest {
  readonly machine: MachineFacts;
  /** Absent: `defaultRootVolumeGiB`. */
  readonly rootVolumeGiB?: number;
  /** See `maxPodsOf`. */
  readonly maxPods: number;
  readonly policy: KubeletPolicy;
}

export interface NodeAmounts {
  readonly capacity: Resources;
  readonly allocatable: Resources;
}

/**
 * What a node of this machine will report before it exists: Capacity is what the virtual machine shows
 * to the operating system; Allocatable is that less kube-reserved, system-reserved and the hard eviction
 * thresholds (kubernetes.io, "Reserve Compute Resources for System Daemons"). Every rounding goes
 * against the node, so that a planned pod never misses its room by a byte. Amounts never fall below 0.
 *
 * The file system is as large as the root volume; or as the instance store, less what XFS keeps of it for itself,
 * where the policy says that pods write there and the type has any.
 */
export const allocatable = (request: AllocatableRequest): NodeAmounts => {
  const { machine, maxPods, policy } = request;
  const kube = kubeReservedAmounts(policy.kubeReserved, machine.vcpu, maxPods);
  const system = policy.systemReserved;

  const milliCpu = machine.vcpu * 1000;
  const memory = perMilleLeft(BigInt(machine.memoryMiB) << 20n, policy.vmMemoryOverheadPerMille);
  const storage = storageBytes(request);
  const storageAboveEviction = perMilleLeft(storage, policy.evictionHardNodefsPerMille);

  return {
    capacity: {
      cpu: milliCpu,
      memory: held(memory),
      'ephemeral-storage': held(storage),
      pods: maxPods,
      ...machine.devices,
    },
    allocatable: {
      cpu: Math.max(milliCpu - kube.milliCpu - system.milliCpu, 0),
      memory: held(
        memory -
          BigInt(kube.memoryBytes) -
          BigInt(system.memoryBytes) -
          BigInt(policy.evictionHardMemoryBytes),
      ),
      'ephemeral-storage': held(
        storageAboveEviction -
          BigInt(kube.ephemeralStorageBytes) -
          BigInt(system.ephemeralStorageBytes),
      ),
      pods: maxPods,
      ...machine.devices,
    },
  };
};

/** Of the instance store one per cent is taken for the metadata and log of its file system. */
const storageBytes = ({ machine, policy, rootVolumeGiB }: AllocatableRequest): bigint =>
  policy.instanceStorePolicy === 'RAID0' && (machine.instanceStoreGB ?? 0) > 0
    ? perMilleLeft(BigInt(machine.instanceStoreGB ?? 0) * 1_000_000_000n, 10)
    : BigInt(rootVolumeGiB ?? defaultRootVolumeGiB) << 30n;

/** `amount` less so many per mille, rounded down. */
const perMilleLeft = (amount: bigint, perMille: number): bigint =>
  (amount * BigInt(1000 - perMille)) / 1000n;

/** Into the range of `Resources`. */
const held = (amount: bigint): number => {
  if (amount < 0n) return 0;
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(amount > most ? most : amount);
};
