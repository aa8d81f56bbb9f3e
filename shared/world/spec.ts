import type { SchedulingConstraints, Taint } from '#cluster/constraints.ts';
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
}

export interface WorldGroup {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Desired capacity at the start; as many nodes are Ready then. */
  readonly desired: number;
  readonly zones: readonly string[];
  /** In order of preference; the first is the launch template's. */
  readonly instanceTypes: readonly string[];
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
  readonly neverRegister: NeverRegister;
}

/** Instances that run, and never become Nodes. */
export interface NeverRegister {
  /** The first so many that the group launches. */
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

export type ApiCall =
  | 'listCluster'
  | 'postPodEvent'
  | 'describeGroups'
  | 'readCapacity'
  | 'setDesiredCapacity';

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
