import type { Resources } from './resources.ts';

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: TaintEffect;
}

export interface Toleration {
  /** Absent or empty with `Exists`: every taint. */
  readonly key?: string;
  readonly operator: 'Exists' | 'Equal' | 'Gt' | 'Lt';
  readonly value?: string;
  /** Absent: every effect. */
  readonly effect?: TaintEffect;
  readonly tolerationSeconds?: number;
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values: readonly string[];
}

/** Expressions and fields are ANDed; a term with neither matches nothing. */
export interface NodeSelectorTerm {
  readonly matchExpressions: readonly NodeSelectorRequirement[];
  /** Only `metadata.name` exists. */
  readonly matchFields: readonly NodeSelectorRequirement[];
}

export interface HostPort {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  /** `0.0.0.0` stands for every address. */
  readonly hostIp: string;
  readonly port: number;
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** Pairs and expressions are ANDed; one with neither matches everything. */
export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly LabelSelectorRequirement[];
}

/** Which pods a term of affinity or a spread constraint counts. */
export interface PodQuery {
  /** Absent: it matches no pod. `matchLabelKeys` and `mismatchLabelKeys` are merged into it. */
  readonly selector?: LabelSelector;
  /** The pod's own where the term names none and has no namespaceSelector. */
  readonly namespaces: readonly string[];
  /** Namespaces by their labels, beside those named; an empty one stands for all. */
  readonly namespaceSelector?: LabelSelector;
}

export interface PodAffinityTerm extends PodQuery {
  readonly topologyKey: string;
}

export interface Weighted<Term> {
  /** 1 to 100. */
  readonly weight: number;
  readonly term: Term;
}

export interface PodAffinity {
  /** ANDed. */
  readonly required: readonly PodAffinityTerm[];
  readonly preferred: readonly Weighted<PodAffinityTerm>[];
}

export interface TopologySpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  /** Of the pod's own namespace. Absent: it counts no pod. `matchLabelKeys` are merged into it. */
  readonly selector?: LabelSelector;
  /** At least 1; absent: 1. */
  readonly minDomains?: number;
  readonly nodeAffinityPolicy: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy: 'Honor' | 'Ignore';
}

/** A volume of a pod that a filter looks at; the others (emptyDir, configMap, …) are left out. */
export type PodVolume =
  /** `ephemeral`: its claim is made for the pod and must be owned by it. */
  | { readonly kind: 'claim'; readonly claim: string; readonly ephemeral: boolean }
  /** A disk named in the pod itself, in the in-tree form: `ebs`, with its volume id. */
  | {
      readonly kind: 'disk';
      readonly plugin:
        | 'ebs'
        | 'gce'
        | 'iscsi'
        | 'rbd'
        | 'azure'
        | 'cinder'
        | 'vsphere'
        | 'portworx';
      readonly handle: string;
      readonly readOnly: boolean;
    };

/** What a pod (or a pod template) demands of a node. */
export interface SchedulingConstraints {
  /** Effective requests: containers, init containers, sidecars, pod level, overhead. Without `pods`. */
  readonly requests: Resources;
  /**
   * `cpu` and `memory` as scores count them, where containers that ask for none count with 100 milli-CPU
   * or 200 MiB each. Absent, or without one of both: as requested, or that amount once where nothing is.
   */
  readonly scoredRequests?: Resources;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Required terms, ORed. Absent: no demand. Empty: matches no node. */
  readonly requiredNodeAffinity?: readonly NodeSelectorTerm[];
  readonly tolerations: readonly Toleration[];
  readonly hostPorts: readonly HostPort[];
  /** Preferred node affinity: weighs, never refuses. Absent: none, as all that follows. */
  readonly preferredNodeAffinity?: readonly Weighted<NodeSelectorTerm>[];
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
  readonly topologySpread?: readonly TopologySpreadConstraint[];
  readonly volumes?: readonly PodVolume[];
  /** What the kubelet must have declared for this pod: `NodeView.declaredFeatures`. */
  readonly requiredFeatures?: readonly string[];
  /** Hard constraints present on the pod that no filter judges yet, by field: `podAntiAffinity`, … */
  readonly notJudged: readonly string[];
}
