/** What of a machine decides how much its kubelet can hand out. */
export interface MachineFacts {
  readonly vcpu: number;
  readonly memoryMiB: number;
  /** Of the default network card; 0 where unknown. */
  readonly maxNetworkInterfaces: number;
  /** 0 where unknown. */
  readonly ipv4PerInterface: number;
  /** Instance store in 10^9 bytes, all its disks together. Absent: none. */
  readonly instanceStoreGB?: number;
  /** Extended resources that its devices give: `nvidia.com/gpu`. */
  readonly devices: Readonly<Record<string, number>>;
}
