import type { Reason, ScaleUpInput } from '../decision.ts';

/** Fields and kinds may be added: readers must bear with new ones. */
export type RemedyKind =
  | 'wait'
  | 'nodeSelector'
  | 'nodeAffinity'
  | 'claim'
  | 'storageClass'
  | 'toleration'
  | 'uncordon'
  | 'resumeLaunch'
  | 'groupMaximum'
  | 'policyLimit'
  | 'label'
  | 'resource'
  | 'request'
  | 'hostPort'
  | 'topologySpread'
  | 'podAffinity'
  | 'podAntiAffinity'
  | 'instanceType'
  | 'zone'
  | 'combination';

/** Where a pod would be with the change made. */
export interface Outcome {
  /** A node that is there or on its way. */
  readonly node?: string;
  /** The group of a node on its way or to be added. */
  readonly group?: string;
}

/** What would get a stuck pod running, found true by deciding anew with the change made. */
export interface Remedy {
  readonly kind: RemedyKind;
  /** Of a combination: the kinds of its changes. */
  readonly changes?: readonly RemedyKind[];
  readonly message: string;
  /** What to know before doing it: whether a policy allows it, what it rests on. */
  readonly note?: string;
  /** YAML: the fields to change, of the pod (its template) or of the Auto Scaling group as CloudFormation names them. */
  readonly patch: string;
  /** Nodes and groups that would take the pod then. */
  readonly fitsOn: number;
  /** What the simulation gives. */
  readonly outcome: Outcome;
}

export type Verdict = 'fits' | 'scaleUp' | 'stuck' | 'ignored';

/** Why one pod runs, will run or cannot, and what would help. */
export interface Explanation {
  /** `namespace/name`. */
  readonly pod: string;
  readonly verdict: Verdict;
  /** The answer in one line, with its code. */
  readonly reason: Reason;
  /** Where it is, or is expected to be; absent where it is stuck or ignored. */
  readonly outcome?: Outcome;
  /** Every group by name: `fits` or `chosen`, or the first rule that refuses. */
  readonly groups: readonly Reason[];
  /** The same of every node, in the order of names; absent where they were not asked for. */
  readonly nodes?: readonly Reason[];
  /** Those that change least come first. */
  readonly remedies: readonly Remedy[];
}

/** One change that may help, not proven yet. */
export interface Change {
  readonly kind: RemedyKind;
  /** What to do, as the beginning of a sentence: `tolerate dedicated=gpu:NoSchedule`. */
  readonly message: string;
  /** What people should know before they do it. */
  readonly note?: string;
  readonly patch: string;
  /** How much it changes among changes of its kind; a whole number. */
  readonly size: number;
  /** Of changes with the same slot only the smallest is tried. Absent: its message. */
  readonly slot?: string;
  apply(input: ScaleUpInput): ScaleUpInput;
  /** Makes it exact by what came of it: the nodes that were added to a group, and to all. */
  readonly exact?: (nodesAdded: (group: string) => number, newNodes: number) => Change;
}
