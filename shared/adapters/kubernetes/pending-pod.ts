/** What a watch of pods without a node says of one. */
export interface PendingPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /**
   * Since when the scheduler says Unschedulable, as the API server writes it; absent where it does not. Empty where
   * it gives no time.
   */
  readonly unschedulableSince?: string;
}

interface RawPod {
  readonly metadata?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly deletionTimestamp?: string;
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type?: string;
      readonly status?: string;
      readonly reason?: string;
      readonly lastTransitionTime?: string | null;
    }[];
  };
}

/** Reads what the relay needs of a pod; `undefined` where the object is no pod. */
export function readPendingPod(object: unknown): PendingPod | undefined {
  const { metadata, status } = (object ?? {}) as RawPod;
  if (!metadata?.namespace || !metadata.name || !metadata.uid) return undefined;
  const pod = { namespace: metadata.namespace, name: metadata.name, uid: metadata.uid };
  const scheduled = status?.conditions?.find((condition) => condition.type === 'PodScheduled');
  const unschedulable = scheduled?.status === 'False' && scheduled.reason === 'Unschedulable';
  if (!unschedulable || metadata.deletionTimestamp !== undefined) return pod;
  return { ...pod, unschedulableSince: scheduled.lastTransitionTime ?? '' };
}
