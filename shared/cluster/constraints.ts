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

/** What a pod (or a pod template) demands of a node. */
export interface SchedulingConstraints {
  /** Effective requests: containers, init containers, sidecars, pod level, overhead. Without `pods`. */
  readonly requests: Resources;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Required terms, ORed. Absent: no demand. Empty: matches no node. */
  readonly requiredNodeAffinity?: readonly NodeSelectorTerm[];
  readonly tolerations: readonly Toleration[];
  readonly hostPorts: readonly HostPort[];
  /** Hard constraints present on the pod that no filter judges yet, by field: `podAntiAffinity`, … */
  readonly notJudged: readonly string[];
}
