/** A Kubernetes Event to be posted on a pod. */
export interface PodEvent {
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly type: 'Normal' | 'Warning';
  /** UpperCamelCase, as in `kubectl describe pod`: `TriggeredScaleUp`, `NotTriggerScaleUp`. */
  readonly reason: string;
  readonly message: string;
  readonly atMs: number;
}
