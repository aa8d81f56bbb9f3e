export type FitReasonCode =
  | 'insufficientResource'
  | 'tooManyPods'
  | 'nodeSelector'
  | 'nodeAffinity'
  | 'untoleratedTaint'
  | 'unschedulable'
  | 'hostPort'
  | 'nodeName'
  | 'nodeFeature'
  | 'volumeNotFound'
  | 'volumeConflict'
  | 'volumeLimit'
  | 'volumeBinding'
  | 'volumeZone'
  | 'topologySpread'
  | 'podAffinity'
  | 'podAntiAffinity'
  | 'existingAntiAffinity';

/** One thing that keeps a pod off a node. `message` is a sentence part for people, without the node's name. */
export interface FitReason {
  readonly code: FitReasonCode;
  readonly message: string;
  /**
   * The same in kube-scheduler's words, as FailedScheduling counts it: `Insufficient cpu`. Where several
   * reasons of a node have the same words, kube-scheduler says them once for the node.
   */
  readonly schedulerReason?: string;
}
