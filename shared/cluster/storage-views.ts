import type { LabelSelector, NodeSelectorTerm } from './constraints.ts';

/*
 * The objects of storage that filters look at, as plain JSON data. Absent lists and fields are empty.
 */

export type AccessMode = 'ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod';
export type VolumeMode = 'Filesystem' | 'Block';

export interface ClaimView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The volume it is bound to, or asks for. */
  readonly volumeName?: string;
  /** Has the annotation `pv.kubernetes.io/bind-completed`. */
  readonly bindCompleted: boolean;
  /** Annotation `volume.kubernetes.io/selected-node`: a volume is being made there. */
  readonly selectedNode?: string;
  /** Absent: none given; empty: explicitly without a class. */
  readonly storageClass?: string;
  readonly accessModes: readonly AccessMode[];
  readonly volumeMode: VolumeMode;
  readonly requestedBytes: number;
  readonly selector?: LabelSelector;
  readonly phase: 'Pending' | 'Bound' | 'Lost';
  readonly deletedAtMs?: number;
  /** The controlling owner's uid, by which an ephemeral volume's claim is known to be the pod's. */
  readonly ownerUid?: string;
}

export interface VolumeView {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly capacityBytes: number;
  readonly accessModes: readonly AccessMode[];
  readonly volumeMode: VolumeMode;
  readonly storageClass: string;
  readonly claim?: { readonly namespace: string; readonly name: string; readonly uid?: string };
  /** `spec.nodeAffinity.required`, terms ORed. Absent: every node reaches it. */
  readonly nodeAffinity?: readonly NodeSelectorTerm[];
  /** A CSI volume, or an in-tree one as its CSI driver knows it (`ebs.csi.aws.com`). */
  readonly csi?: { readonly driver: string; readonly handle: string };
  readonly phase: 'Available' | 'Bound' | 'Released' | 'Failed' | 'Pending';
  readonly deletedAtMs?: number;
}

export interface StorageClassView {
  readonly name: string;
  readonly provisioner: string;
  readonly bindingMode: 'Immediate' | 'WaitForFirstConsumer';
  /** Terms ORed, their keys ANDed. */
  readonly allowedTopologies?: readonly (readonly TopologyValues[])[];
  /** When it was made default, by annotation. */
  readonly isDefault: boolean;
}

export interface TopologyValues {
  readonly key: string;
  readonly values: readonly string[];
}

export interface CsiNodeView {
  /** The Node's. */
  readonly name: string;
  readonly drivers: readonly {
    readonly name: string;
    readonly nodeId: string;
    readonly topologyKeys: readonly string[];
    /** `allocatable.count`: how many volumes of it the node takes. Absent: no limit. */
    readonly limit?: number;
  }[];
  /** In-tree plugins that are migrated there: `kubernetes.io/aws-ebs`. */
  readonly migrated: readonly string[];
}

/** A driver that says how much room each topology segment has. */
export interface CsiDriverView {
  readonly name: string;
  readonly tracksCapacity: boolean;
  readonly attachRequired: boolean;
}

export interface CsiCapacityView {
  readonly namespace: string;
  readonly name: string;
  readonly storageClass: string;
  readonly nodeTopology?: LabelSelector;
  readonly capacityBytes?: number;
  readonly maximumVolumeBytes?: number;
}
