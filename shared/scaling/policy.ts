import type { Taint } from '#cluster/constraints.ts';
import type { Resources } from '#cluster/resources.ts';
import { defaultKubeletPolicy, type KubeletPolicy } from '#kubelet/policy.ts';

export type Mode = 'observe' | 'act';

export const expanderNames = [
  'least-waste',
  'least-nodes',
  'most-pods',
  'price',
  'priority',
] as const;

/** Cluster Autoscaler's expanders, but for `random` and `grpc`. */
export type ExpanderName = (typeof expanderNames)[number];

/** What the cluster may grow to, all of its Nodes counted, whoever runs them. */
export interface ClusterLimits {
  readonly nodes?: number;
  /** Sums of nodes' capacity, by resource: `cpu`, `memory`, `nvidia.com/gpu`. */
  readonly resources?: Resources;
  /** The most nodes that one decision may add to all groups together. */
  readonly newNodes?: number;
}

/** How pods say that they are of use only together. */
export interface GangPolicy {
  /** Keys of labels whose value names the pod's gang, in its namespace; the first that is there counts. Empty: no gangs. */
  readonly labels: readonly string[];
  /** Keys of labels or annotations that give how many pods of it must run. */
  readonly minimum: readonly string[];
}

/** Room that is kept free in a group. */
export interface Headroom {
  /** Nodes without pods but those of DaemonSets. */
  readonly nodes?: number;
  /** Room for so many pods of one size. */
  readonly pods?: { readonly count: number; readonly requests: Resources };
}

/** What people may say about the groups whose name matches; the first match wins. */
export interface GroupPolicy {
  /** A group's name; `*` stands for any run of characters. */
  readonly match: string;
  readonly mode?: Mode;
  /** Labels, taints and resources of a new node, where the group's tags do not give them. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly resources?: Resources;
  /** From launch to a usable node, where the group's tags do not say it. */
  readonly startLimitSeconds?: number;
  readonly kubelet?: Partial<KubeletPolicy>;
  /** The most nodes of the group, where that is less than its own maximum. */
  readonly maxNodes?: number;
  /** Absent: none, but what its tags say. */
  readonly headroom?: Headroom;
}

/** The policy of one cluster; all of it is journalled with each decision. */
export interface ScalingPolicy {
  readonly mode: Mode;
  /** Pods of lower priority neither scale nor count (Cluster Autoscaler's expendable pods). */
  readonly priorityCutoff: number;
  /** Names of the schedulers whose pods are looked after. Absent in records older than it: all. */
  readonly schedulers?: readonly string[];
  /** So long a pod that preemption would help is expected to preempt. Absent: the default. */
  readonly preemptionLimitSeconds?: number;
  /** From launch to a usable node; after it an instance no longer counts as on its way. */
  readonly startLimitSeconds: number;
  /** The most nodes that one decision may add to one group. */
  readonly maxNodesPerDecision: number;
  /**
   * The most work that one decision may do, in glances of one class of pods at one node; pods beyond it
   * are told so. Absent in records older than the bound: as many as it takes.
   */
  readonly trialsPerDecision?: number;
  /** Absent in records older than it: the default. */
  readonly backOff?: BackOffPolicy;
  /** A pod for which so many launches brought no binding causes no more; a person is told. Absent: the default. */
  readonly launchesPerPod?: number;
  /**
   * A plan is replayed in the scheduler's own order, and nodes are added until no pod is left. Absent: it is. Without
   * it plans are as small as pods can be packed, and some may stay Pending for one look more.
   */
  readonly replaysScheduler?: boolean;
  /** How many splits of two nodes may be tried to make a plan by price cheaper. Absent: the default. */
  readonly packingTrials?: number;
  /** How a group is chosen; several narrow the choice one after the other. A record older than the chain names one. */
  readonly expander: ExpanderName | readonly ExpanderName[];
  /** Nodes are shared out among groups that are alike. Absent in records older than it: they are not. */
  readonly balanceSimilarGroups?: boolean;
  /** Labels by which similar groups may differ, beside those that everybody's may. */
  readonly balancingIgnoreLabels?: readonly string[];
  /** Absent: none but those of the groups. */
  readonly limits?: ClusterLimits;
  /** Absent in records older than it: there are none. */
  readonly gangs?: GangPolicy;
  /** On-demand prices by instance type, in millionths of a dollar per hour. */
  readonly pricesMicro?: Readonly<Record<string, number>>;
  readonly kubelet: KubeletPolicy;
  readonly groups: readonly GroupPolicy[];
  /** Taint keys that a starting node carries for a while, beside the ones everybody uses. */
  readonly startupTaints: readonly string[];
}

/** How long a group whose launches failed is left alone: doubling from `initialSeconds` to `maxSeconds`. */
export interface BackOffPolicy {
  readonly initialSeconds: number;
  readonly maxSeconds: number;
  /** So long after its end without another failure everything is forgotten. */
  readonly resetSeconds: number;
}

/** Figures of Cluster Autoscaler (initial and maximal node group back-off, its reset timeout). */
export const defaultBackOffPolicy: BackOffPolicy = {
  initialSeconds: 300,
  maxSeconds: 1800,
  resetSeconds: 10_800,
};

export const defaultLaunchesPerPod = 3;

/** About a twentieth of a second of one core. */
export const defaultPackingTrials = 150_000;

export const defaultPreemptionLimitSeconds = 300;

/** Outrider's own, and the labels of the scheduler plugins' coscheduling, new and old. */
export const defaultGangPolicy: GangPolicy = {
  labels: [
    'outrider.dev/gang',
    'scheduling.x-k8s.io/pod-group',
    'pod-group.scheduling.sigs.k8s.io/name',
  ],
  minimum: ['outrider.dev/gang-minimum', 'pod-group.scheduling.sigs.k8s.io/min-available'],
};

export const defaultScalingPolicy: ScalingPolicy = {
  mode: 'observe',
  priorityCutoff: -10,
  schedulers: ['default-scheduler'],
  preemptionLimitSeconds: defaultPreemptionLimitSeconds,
  startLimitSeconds: 900,
  maxNodesPerDecision: 1000,
  trialsPerDecision: 200_000_000,
  backOff: defaultBackOffPolicy,
  launchesPerPod: defaultLaunchesPerPod,
  replaysScheduler: true,
  packingTrials: defaultPackingTrials,
  expander: ['least-waste'],
  balanceSimilarGroups: true,
  balancingIgnoreLabels: [],
  gangs: defaultGangPolicy,
  kubelet: defaultKubeletPolicy,
  groups: [],
  startupTaints: [],
};
