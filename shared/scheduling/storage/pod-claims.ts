import type { PodVolume } from '#cluster/constraints.ts';
import type { ClaimView } from '#cluster/storage-views.ts';
import type { FitReason } from '../filters/filter.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import type { StorageIndex } from './storage-index.ts';

type ClaimVolume = Extract<PodVolume, { readonly kind: 'claim' }>;

/** A pod's claims as the volume binder sorts them. */
export interface PodClaims {
  readonly bound: readonly ClaimView[];
  /** Unbound, of a class that waits for its first consumer. */
  readonly waiting: readonly ClaimView[];
  /** What keeps the pod from every node. */
  readonly rejected?: FitReason;
}

/** The pod's volumes that are claims, in their order. */
export const claimVolumes = (pod: StatePod): readonly ClaimVolume[] =>
  (pod.volumes ?? []).filter((volume) => volume.kind === 'claim');

const notFound = (message: string, schedulerReason: string): FitReason => ({
  code: 'volumeNotFound',
  message,
  schedulerReason,
});

const unbound = (message: string, schedulerReason: string): FitReason => ({
  code: 'volumeBinding',
  message,
  schedulerReason,
});

export const claimNotFound = (namespace: string, name: string): FitReason =>
  notFound(
    `the claim ${namespace}/${name} does not exist`,
    `persistentvolumeclaim "${name}" not found`,
  );

/** What PreFilter of VolumeBinding has against one claim of the pod. */
function faultOf(
  pod: StatePod,
  { claim: name, ephemeral }: ClaimVolume,
  claim: ClaimView | undefined,
): FitReason | undefined {
  const { namespace } = pod;
  if (claim === undefined) {
    if (!ephemeral) return claimNotFound(namespace, name);
    return notFound(
      `the claim ${namespace}/${name} of the ephemeral volume does not exist yet`,
      `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`,
    );
  }
  if (claim.phase === 'Lost') {
    return notFound(
      `the claim ${namespace}/${name} has lost its volume ${claim.volumeName ?? ''}`,
      `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.volumeName ?? ''}"`,
    );
  }
  if (claim.deletedAtMs !== undefined) {
    return unbound(
      `the claim ${namespace}/${name} is being deleted`,
      `persistentvolumeclaim "${name}" is being deleted`,
    );
  }
  if (ephemeral && claim.ownerUid !== pod.uid) {
    return unbound(
      `the claim ${namespace}/${name} was not made for this pod`,
      `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.name} (pod is not owner)`,
    );
  }
  return undefined;
}

export const isBound = (claim: ClaimView): boolean =>
  claim.volumeName !== undefined && claim.bindCompleted;

/** Unbound, without a volume of its own choice, and of a class that waits for its first consumer. */
export const isWaiting = (claim: ClaimView, storage: StorageIndex): boolean =>
  !isBound(claim) &&
  claim.volumeName === undefined &&
  storage.storageClass(claim.storageClass ?? '')?.bindingMode === 'WaitForFirstConsumer';

function notBoundYet(
  { namespace, name, storageClass, volumeName }: ClaimView,
  storage: StorageIndex,
) {
  const known = storage.storageClass(storageClass ?? '') !== undefined;
  let why = 'its class binds at once and has not yet';
  if (volumeName !== undefined) why = `it asks for the volume ${volumeName} and is not bound yet`;
  else if (!storageClass) why = 'it names no storage class';
  else if (!known) why = `its storage class ${storageClass} does not exist`;
  return unbound(
    `the claim ${namespace}/${name} is not bound: ${why}`,
    'pod has unbound immediate PersistentVolumeClaims',
  );
}

/**
 * Sorts the claims of a pod (PreFilter of VolumeBinding, kube-scheduler 1.37): faults come first, in the
 * order of the volumes, then claims that should be bound by now.
 */
export function podClaims(pod: StatePod, storage: StorageIndex): PodClaims {
  const bound: ClaimView[] = [];
  const waiting: ClaimView[] = [];
  const late: ClaimView[] = [];
  for (const volume of claimVolumes(pod)) {
    const claim = storage.claim(pod.namespace, volume.claim);
    const rejected = faultOf(pod, volume, claim);
    if (rejected !== undefined) return { bound, waiting, rejected };
    if (claim === undefined) continue;
    if (isBound(claim)) bound.push(claim);
    else if (isWaiting(claim, storage)) waiting.push(claim);
    else late.push(claim);
  }
  const [first] = late;
  return {
    bound,
    waiting,
    ...(first === undefined ? {} : { rejected: notBoundYet(first, storage) }),
  };
}
