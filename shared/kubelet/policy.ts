/** How the kubelets of a group are configured, where it decides what a new node can allocate. */
export interface KubeletPolicy {
  /**
   * Pods per node. `auto`: by network interfaces where the cluster runs the VPC CNI (a DaemonSet
   * kube-system/aws-node), else the kubelet's default of 110. `eni`: always by network interfaces.
   */
  readonly maxPods: number | 'auto' | 'eni';
  /** `formula`: the published kube-reserved formula by cores and pods. Otherwise the amounts given. */
  readonly kubeReserved: 'formula' | ReservedAmounts;
  readonly systemReserved: ReservedAmounts;
  readonly evictionHardMemoryBytes: number;
  /** Share of the node file system kept free, per mille (100 = 10 %). */
  readonly evictionHardNodefsPerMille: number;
  /** Part of the type's memory that the virtual machine never shows to the OS, per mille. */
  readonly vmMemoryOverheadPerMille: number;
  /**
   * `RAID0`: the node's own disks (instance store) together hold what pods write, where the type has any, as
   * nodeadm's and Karpenter's option of that name does. Absent: the root volume does.
   */
  readonly instanceStorePolicy?: 'RAID0';
}

export interface ReservedAmounts {
  readonly milliCpu: number;
  readonly memoryBytes: number;
  readonly ephemeralStorageBytes: number;
}

export const defaultKubeletPolicy: KubeletPolicy = {
  maxPods: 'auto',
  kubeReserved: 'formula',
  systemReserved: { milliCpu: 0, memoryBytes: 0, ephemeralStorageBytes: 0 },
  evictionHardMemoryBytes: 100 * 1024 * 1024,
  evictionHardNodefsPerMille: 100,
  vmMemoryOverheadPerMille: 55,
};
