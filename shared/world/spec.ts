import type { SchedulingConstraints, Taint } from '#cluster/constraints.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { KubeletPolicy } from '#kubelet/policy.ts';

/** A duration drawn evenly between two ends, both included. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Everything that a simulated account and cluster start from. Times are milliseconds from the start. */
export interface WorldSpec {
  readonly seed: number;
  /** The clock at the start, milliseconds since the epoch. */
  readonly startMs: number;
  readonly cluster: string;
  readonly region: string;
  readonly groups: readonly WorldGroup[];
  readonly workloads: readonly WorldWorkload[];
  readonly daemonSets: readonly WorldDaemonSet[];
  readonly shortages: readonly Shortage[];
  readonly throttles: readonly Throttle[];
  readonly lag: WorldLag;
  /** What filters look at beside nodes and pods: storage, budgets, labels of namespaces. It stays as it is. */
  readonly objects?: WorldObjects;
  /** Nodes that claim instances which another cluster's group has. */
  readonly foreignNodes?: readonly ForeignNode[];
}

/** Lists of the cluster that nothing in the world changes. */
export type WorldObjects = Omit<ClusterSnapshot, 'nodes' | 'pods' | 'daemonSets' | 'leases'>;

/** A Ready Node from the start, on an instance that is none of this cluster's. */
export interface ForeignNode {
  readonly instance: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly group: string;
  readonly cluster: string;
}

export interface WorldGroup {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Desired capacity at the start; the nodes for it are Ready then. */
  readonly desired: number;
  readonly zones: readonly string[];
  /** In order of preference; the first is the launch template's. */
  readonly instanceTypes: readonly string[];
  /** Units of desired capacity that an instance of the type is (WeightedCapacity); absent: 1 of each. */
  readonly weights?: Readonly<Record<string, number>>;
  /** A number, or `$Default`, which it is where absent. There is only version 1. */
  readonly launchTemplateVersion?: string;
  /** Of its nodes; the group's tags say so too, as Cluster Autoscaler reads them. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** More tags of the group, or other values for the ones it has. */
  readonly tags: Readonly<Record<string, string>>;
  readonly suspendedProcesses: readonly string[];
  readonly rootVolumeGiB: number;
  readonly kubelet: KubeletPolicy;
  /** From a change of desired capacity to the launch. */
  readonly launch: Span;
  /** From the launch to the Node object. */
  readonly boot: Span;
  /** From the Node object to Ready. */
  readonly ready: Span;
  /** From Ready until the extended resources of its devices appear; 0: they are there from the first. */
  readonly devices: Span;
  /** What the group says of new instances, and what holds for those there from the start. */
  readonly newInstancesProtected: boolean;
  readonly runningProtected: boolean;
  /** Instances that run, and never become Nodes. */
  readonly neverRegister: Lot;
  /** Instances whose Nodes never become Ready. */
  readonly neverReady: Lot;
  /** Instances whose Nodes are Ready, while the extended resources of their devices never appear. */
  readonly neverDevices: Lot;
  /** Instances that shut down instead of becoming Nodes; Auto Scaling replaces them. */
  readonly crashes: Lot;
}

/** Which of the instances that a group launches. */
export interface Lot {
  /** The first so many. */
  readonly first: number;
  /** Of the others, so many in a thousand. */
  readonly perMille: number;
}

/** Several pods alike, as a controller makes them. */
export interface WorldWorkload {
  readonly namespace: string;
  readonly name: string;
  /** The controller's kind: `ReplicaSet`, `Job`, `StatefulSet`. */
  readonly kind: string;
  readonly replicas: number;
  /** When the first pod is made, and how long after it the next. */
  readonly atMs: number;
  readonly everyMs: number;
  readonly constraints: SchedulingConstraints;
  readonly priority: number;
  /** From bound to Running: image pull and start. */
  readonly start: Span;
  /** From Running to Succeeded; absent: stays. */
  readonly runsFor?: Span;
}

export interface WorldDaemonSet {
  readonly namespace: string;
  readonly name: string;
  readonly constraints: SchedulingConstraints;
}

/** EC2 has no capacity: launches that match every field given fail. */
export interface Shortage {
  readonly group?: string;
  readonly zone?: string;
  readonly instanceType?: string;
  readonly fromMs: number;
  /** Absent: for ever. */
  readonly untilMs?: number;
  /** So many instances only. Absent: no limit. */
  readonly launches?: number;
}

/** Calls to the simulated APIs, in the order in which figures give them. */
export const apiCalls = [
  'listCluster',
  'postPodEvent',
  'describeGroups',
  'describeActivities',
  'describeForeign',
  'readCapacity',
  'setDesiredCapacity',
] as const;

export type ApiCall = (typeof apiCalls)[number];

/** Calls of one kind beyond `limit` in each window of `perMs` are refused. */
export interface Throttle {
  readonly call: ApiCall;
  readonly limit: number;
  readonly perMs: number;
}

export interface WorldLag {
  /** The hint of an unschedulable pod travels so long. */
  readonly hintMs: number;
  /** Hints are lost: only sweeps look. */
  readonly hintsLost: boolean;
  /** Lists of the API server, and descriptions of groups, may be so old. */
  readonly clusterStaleMs: number;
  readonly groupsStaleMs: number;
}
