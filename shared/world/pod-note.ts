/** A Kubernetes Event posted on a pod. */
export interface PodNote {
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}
