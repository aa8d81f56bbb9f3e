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
  /** Absent: none given; empty: explicitly without a class. The beta annotation comes first. */
  readonly storageClass?: string;
  /** VolumeAttributesClass: an unbound volume must have the same. */
  readonly attributesClass?: string;
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
  /** Empty: none. The beta annotation comes first. */
  readonly storageClass: string;
  readonly attributesClass?: string;
  readonly claim?: { readonly namespace: string; readonly name: string; readonly uid?: string };
  /** `spec.nodeAffinity.required`, terms ORed. Absent: every node reaches it. */
  readonly nodeAffinity?: readonly NodeSelectorTerm[];
  /** A CSI volume, or an in-tree one as its CSI driver knows it (`ebs.csi.aws.com`). */
  readonly csi?: { readonly driver: string; readonly handle: string };
  /**
   * Of an in-tree volume: a node whose CsiNodeView names `plugin` among its `migrated` takes a bound one
   * with this affinity in place of the one above. Unbound ones, and other nodes, keep to the one above.
   */
  readonly migrates?: {
    readonly plugin: string;
    readonly nodeAffinity?: readonly NodeSelectorTerm[];
  };
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

export interface CsiDriverView {
  readonly name: string;
  /** Says by CSIStorageCapacity objects how much room each topology segment has. */
  readonly tracksCapacity: boolean;
  readonly attachRequired: boolean;
  /** `preventPodSchedulingIfMissing`: a node without the driver takes none of its volumes. */
  readonly neededOnNode?: boolean;
}

export interface CsiCapacityView {
  readonly namespace: string;
  readonly name: string;
  readonly storageClass: string;
  readonly nodeTopology?: LabelSelector;
  readonly capacityBytes?: number;
  readonly maximumVolumeBytes?: number;
}
