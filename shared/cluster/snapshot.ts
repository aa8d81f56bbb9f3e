import type { LabelSelector, SchedulingConstraints, Taint, Toleration } from './constraints.ts';
import type { Resources } from './resources.ts';
import type {
  ClaimView,
  CsiCapacityView,
  CsiDriverView,
  CsiNodeView,
  StorageClassView,
  VolumeView,
} from './storage-views.ts';

/*
 * A cluster at one moment, as plain JSON data: it is journalled as it stands and replayed from there.
 * Times are milliseconds since the epoch.
 */

export interface NodeView {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** A claim, not proof: `aws:///us-east-1a/i-0123`. */
  readonly providerId?: string;
  readonly internalIp?: string;
  readonly internalDns?: string;
  readonly createdAtMs?: number;
  readonly unschedulable: boolean;
  readonly taints: readonly Taint[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  readonly ready: 'True' | 'False' | 'Unknown';
  /** `status.declaredFeatures`, by which the NodeDeclaredFeatures filter refuses. Absent: none. */
  readonly declaredFeatures?: readonly string[];
}

export interface OwnerView {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface PodView extends SchedulingConstraints {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly createdAtMs?: number;
  /** When deletion was asked for. */
  readonly deletedAtMs?: number;
  /** The controlling owner. */
  readonly owner?: OwnerView;
  readonly nodeName?: string;
  readonly nominatedNodeName?: string;
  readonly schedulerName: string;
  /** Absent: the admission plugin set none; such a pod is never expendable. */
  readonly priority?: number;
  /** `preemptionPolicy: Never`: it waits its turn and evicts nobody. */
  readonly neverPreempts?: boolean;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  /** The PodScheduled condition. */
  readonly scheduled?: {
    readonly status: 'True' | 'False' | 'Unknown';
    readonly reason?: string;
    readonly sinceMs?: number;
  };
  /** Has scheduling gates left. */
  readonly gated: boolean;
}

export interface DaemonSetView extends SchedulingConstraints {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Of its pods. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface NamespaceView {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The tolerations that alone its pods may have (PodTolerationRestriction). Absent: it names none. */
  readonly tolerationsWhitelist?: readonly Toleration[];
}

export interface DisruptionBudgetView {
  readonly namespace: string;
  readonly name: string;
  readonly selector?: LabelSelector;
  readonly disruptionsAllowed: number;
  readonly expectedPods: number;
}

/** A ConfigMap that says how to scale; of any other nothing but the name is kept. */
export interface ConfigMapView {
  readonly namespace: string;
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

/** A coordination.k8s.io Lease, of which only other scalers' matter here. */
export interface LeaseView {
  readonly namespace: string;
  readonly name: string;
  readonly holder?: string;
  readonly renewedAtMs?: number;
  readonly durationSeconds?: number;
}

export interface ClusterSnapshot {
  readonly nodes: readonly NodeView[];
  readonly pods: readonly PodView[];
  readonly daemonSets: readonly DaemonSetView[];
  readonly leases: readonly LeaseView[];
  /** Absent, as each list below: nothing is known of them, and there are none. */
  readonly namespaces?: readonly NamespaceView[];
  readonly claims?: readonly ClaimView[];
  readonly volumes?: readonly VolumeView[];
  readonly storageClasses?: readonly StorageClassView[];
  readonly csiNodes?: readonly CsiNodeView[];
  readonly csiDrivers?: readonly CsiDriverView[];
  readonly csiCapacities?: readonly CsiCapacityView[];
  readonly disruptionBudgets?: readonly DisruptionBudgetView[];
  readonly configMaps?: readonly ConfigMapView[];
}

/** A kind of objects, by its list. */
export type SnapshotKind = keyof ClusterSnapshot;

/** What one list of a snapshot holds. */
export type ViewOf<Kind extends SnapshotKind> = Required<ClusterSnapshot>[Kind][number];

/** How a pod is named to people and in every output. */
export const podKey = (pod: { readonly namespace: string; readonly name: string }): string =>
  `${pod.namespace}/${pod.name}`;
