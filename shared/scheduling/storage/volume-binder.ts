import { getOwn } from '#cluster/own-record.ts';
import type { ClaimView, StorageClassView, VolumeView } from '#cluster/storage-views.ts';
import { type LabelMatcher, labelMatcher } from '../state/selectors.ts';
import { isReachable, type StorageIndex } from './storage-index.ts';

/** What the volume binder would do with the claims of pods that were placed meanwhile. */
export interface Assumptions {
  /** The node where a volume will be made. */
  selectedNode(claim: ClaimView): string | undefined;
  /** The claim that will have the volume. */
  claimOf(volume: VolumeView): VolumeView['claim'];
}

/** A node as the binder looks at it. */
export interface BinderNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface BindingFault {
  readonly code: 'bind' | 'space';
  readonly claim: ClaimView;
  /** For people, after the name of the claim. */
  readonly why: string;
}

/** The volumes that claims would get on a node, or why they would not. */
export interface Binding {
  readonly volumes: ReadonlyMap<ClaimView, VolumeView>;
  readonly fault?: BindingFault;
}

/** Provisioner of classes whose volumes are made by hand. */
const noProvisioner = 'kubernetes.io/no-provisioner';

function isFor(reference: VolumeView['claim'], claim: ClaimView): boolean {
  if (reference?.name !== claim.name || reference.namespace !== claim.namespace) return false;
  return reference.uid === undefined || reference.uid === claim.uid;
}

/** Whether the volume is large enough and of the claim's sort, whoever has it. */
const isAlike = (volume: VolumeView, claim: ClaimView): boolean =>
  volume.capacityBytes >= claim.requestedBytes &&
  volume.volumeMode === claim.volumeMode &&
  (volume.attributesClass ?? '') === (claim.attributesClass ?? '') &&
  volume.deletedAtMs === undefined;

const isFree = (volume: VolumeView, claim: ClaimView, chosen: LabelMatcher | undefined): boolean =>
  volume.phase === 'Available' &&
  (chosen === undefined || chosen(volume.labels)) &&
  claim.accessModes.every((mode) => volume.accessModes.includes(mode));

/**
 * The volume that a claim would be bound to (FindMatchingVolume of component-helpers 0.37): one that is
 * meant for it, else the smallest that is free, by name where several are alike.
 */
function matchingVolume(
  claim: ClaimView,
  volumes: readonly VolumeView[],
  {
    node,
    taken,
    assumed,
  }: {
    readonly node: BinderNode;
    readonly taken: ReadonlySet<VolumeView>;
    readonly assumed: Assumptions;
  },
): VolumeView | undefined {
  const chosen = claim.selector === undefined ? undefined : labelMatcher(claim.selector);
  let smallest: VolumeView | undefined;
  for (const volume of volumes) {
    const reference = assumed.claimOf(volume);
    const isMeant = isFor(reference, claim);
    if (taken.has(volume) || (reference !== undefined && !isMeant)) continue;
    if (!isAlike(volume, claim)) continue;
    const reachable = isReachable(volume.nodeAffinity, node.labels);
    if (isMeant) return reachable ? volume : undefined;
    if (!reachable || !isFree(volume, claim, chosen)) continue;
    if (smallest === undefined || volume.capacityBytes < smallest.capacityBytes) smallest = volume;
  }
  return smallest;
}

/** Terms ORed, their keys ANDed; one without keys, or a key without values, matches nothing. */
function isAllowed({ allowedTopologies }: StorageClassView, { labels }: BinderNode): boolean {
  if (allowedTopologies === undefined || allowedTopologies.length === 0) return true;
  return allowedTopologies.some(
    (term) =>
      term.length > 0 &&
      term.every(({ key, values }) => values.includes(getOwn(labels, key) ?? '\0')),
  );
}

function hasSpace(claim: ClaimView, node: BinderNode, storage: StorageIndex): boolean {
  const name = claim.storageClass ?? '';
  const provisioner = storage.storageClass(name)?.provisioner ?? '';
  if (claim.requestedBytes === 0 || !storage.driver(provisioner)?.tracksCapacity) return true;
  return storage.capacitiesOf(name).some((capacity) => {
    const most = capacity.maximumVolumeBytes ?? capacity.capacityBytes;
    if (most === undefined || most < claim.requestedBytes) return false;
    return labelMatcher(capacity.nodeTopology)(node.labels);
  });
}

/** Why no volume can be made for the claim from this node (checkVolumeProvisions of the binder). */
export function provisioningFault(
  claim: ClaimView,
  node: BinderNode,
  storage: StorageIndex,
): BindingFault | undefined {
  const storageClass = storage.storageClass(claim.storageClass ?? '');
  const provisioner = storageClass?.provisioner ?? '';
  if (storageClass === undefined || provisioner === '' || provisioner === noProvisioner) {
    const why = `finds no free volume here, and its class ${claim.storageClass ?? ''} makes none`;
    return { code: 'bind', claim, why };
  }
  if (!isAllowed(storageClass, node)) {
    const why = `gets no volume here: the allowedTopologies of its class ${storageClass.name} leave the node out`;
    return { code: 'bind', claim, why };
  }
  if (hasSpace(claim, node, storage)) return undefined;
  return { code: 'space', claim, why: `finds no room for ${claim.requestedBytes} bytes here` };
}

/**
 * What the binder would do with unbound claims that wait for their first consumer, if the pod went to
 * this node (FindPodVolumes of kube-scheduler 1.37): smaller claims choose first among the volumes that
 * exist, and for the others volumes are made.
 */
export function bindingOn(
  node: BinderNode,
  claims: readonly ClaimView[],
  { storage, assumed }: { readonly storage: StorageIndex; readonly assumed: Assumptions },
): Binding {
  const volumes = new Map<ClaimView, VolumeView>();
  const toMake: ClaimView[] = [];
  const toMatch: ClaimView[] = [];
  for (const claim of claims) {
    const selected = assumed.selectedNode(claim);
    if (selected === undefined) toMatch.push(claim);
    else if (selected === node.name) toMake.push(claim);
    else {
      const why = `is to get its volume on the node ${selected}`;
      return { volumes, fault: { code: 'bind', claim, why } };
    }
  }
  const taken = new Set<VolumeView>();
  for (const claim of toMatch.sort((a, b) => a.requestedBytes - b.requestedBytes)) {
    const candidates = storage.volumesOf(claim.storageClass ?? '');
    const volume = matchingVolume(claim, candidates, { node, taken, assumed });
    if (volume === undefined) toMake.push(claim);
    else {
      volumes.set(claim, volume);
      taken.add(volume);
    }
  }
  for (const claim of toMake) {
    const fault = provisioningFault(claim, node, storage);
    if (fault !== undefined) return { volumes, fault };
  }
  return { volumes };
}
