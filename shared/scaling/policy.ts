import type { Taint } from '#cluster/constraints.ts';
import type { Resources } from '#cluster/resources.ts';
import { defaultKubeletPolicy, type KubeletPolicy } from '#kubelet/policy.ts';

export type Mode = 'observe' | 'act';

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
}

/** The policy of one cluster; all of it is journalled with each decision. */
export interface ScalingPolicy {
  readonly mode: Mode;
  /** Pods of lower priority neither scale nor count (Cluster Autoscaler's expendable pods). */
  readonly priorityCutoff: number;
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
  readonly expander: 'least-waste';
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

export const defaultScalingPolicy: ScalingPolicy = {
  mode: 'observe',
  priorityCutoff: -10,
  startLimitSeconds: 900,
  maxNodesPerDecision: 1000,
  trialsPerDecision: 200_000_000,
  backOff: defaultBackOffPolicy,
  launchesPerPod: defaultLaunchesPerPod,
  expander: 'least-waste',
  kubelet: defaultKubeletPolicy,
  groups: [],
  startupTaints: [],
};
