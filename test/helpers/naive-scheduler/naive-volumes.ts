import type { NodeSelectorTerm } from '#cluster/constraints.ts';
import { matchesExpression } from '#cluster/labels.ts';
import type { ClaimView, CsiNodeView, VolumeView } from '#cluster/storage-views.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { labelOf, matchesSelector, type NaiveCluster, type NaiveNode } from './naive-cluster.ts';

/* Pods that run already change no claim: claims are as the snapshot has them. */

type Labels = Readonly<Record<string, string>>;

const storageOf = ({ context }: NaiveCluster) => context.storage;

const claimsOf = (pod: StatePod) => (pod.volumes ?? []).filter((volume) => volume.kind === 'claim');

const disksOf = (pod: StatePod) => (pod.volumes ?? []).filter((volume) => volume.kind === 'disk');

const claimOf = (pod: StatePod, name: string, cluster: NaiveCluster): ClaimView | undefined =>
  storageOf(cluster).claims?.find((one) => one.namespace === pod.namespace && one.name === name);

const volumeOf = (name: string | undefined, cluster: NaiveCluster): VolumeView | undefined =>
  storageOf(cluster).volumes?.find((one) => one.name === name);

const classOf = (claim: ClaimView, cluster: NaiveCluster) =>
  storageOf(cluster).storageClasses?.find((one) => one.name === claim.storageClass);

const csiNodeOf = ({ node }: NaiveNode, cluster: NaiveCluster): CsiNodeView | undefined =>
  storageOf(cluster).csiNodes?.find((one) => one.name === node.name);

const isBound = (claim: ClaimView): boolean =>
  claim.volumeName !== undefined && claim.bindCompleted;

const waits = (claim: ClaimView, cluster: NaiveCluster): boolean =>
  claim.volumeName === undefined && classOf(claim, cluster)?.bindingMode === 'WaitForFirstConsumer';

/** What PreFilter of the storage plugins says, in their order; nothing where it lets the pod through. */
export function naiveStorageRejection(pod: StatePod, cluster: NaiveCluster): string | undefined {
  const claims = claimsOf(pod);
  for (const { claim, ephemeral } of claims) {
    if (!ephemeral && claimOf(pod, claim, cluster) === undefined) {
      return `persistentvolumeclaim "${claim}" not found`;
    }
  }
  for (const { claim: name, ephemeral } of claims) {
    const claim = claimOf(pod, name, cluster);
    if (claim === undefined) {
      return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
    }
    if (claim.phase === 'Lost') {
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.volumeName ?? ''}"`;
    }
    if (claim.deletedAtMs !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
    if (ephemeral && claim.ownerUid !== pod.uid) {
      return `PVC ${pod.namespace}/${name} was not created for pod ${pod.namespace}/${pod.name} (pod is not owner)`;
    }
  }
  for (const { claim: name } of claims) {
    const claim = claimOf(pod, name, cluster);
    if (claim !== undefined && !isBound(claim) && !waits(claim, cluster)) {
      return 'pod has unbound immediate PersistentVolumeClaims';
    }
  }
  for (const { claim: name, ephemeral } of claims) {
    const claim = claimOf(pod, name, cluster);
    if (ephemeral || claim === undefined || claim.volumeName === undefined) continue;
    if (volumeOf(claim.volumeName, cluster) === undefined) {
      return `persistentvolume "${claim.volumeName}" not found`;
    }
  }
  return undefined;
}

type NaiveVolumeFilter = (
  pod: StatePod,
  where: NaiveNode,
  cluster: NaiveCluster,
) => readonly string[];

const restrictions: NaiveVolumeFilter = (pod, { pods }, cluster) => {
  const shareable = ['gce', 'iscsi', 'rbd'];
  const conflict = disksOf(pod).some((disk) =>
    pods.flatMap(disksOf).some((other) => {
      if (other.plugin !== disk.plugin || other.handle !== disk.handle) return false;
      if (disk.plugin === 'ebs') return true;
      return shareable.includes(disk.plugin) && !(disk.readOnly && other.readOnly);
    }),
  );
  if (conflict) return ['node(s) had no available disk'];
  const everyPod = cluster.nodes.flatMap((node) => node.pods);
  const inUse = claimsOf(pod).some(
    ({ claim, ephemeral }) =>
      !ephemeral &&
      claimOf(pod, claim, cluster)?.accessModes.includes('ReadWriteOncePod') &&
      everyPod.some(
        (other) =>
          other.namespace === pod.namespace &&
          claimsOf(other).some((one) => !one.ephemeral && one.claim === claim),
      ),
  );
  const reason =
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';
  return inUse ? [reason] : [];
};

/** `driver/handle` of all volumes of a pod that count on a node. */
function handlesOf(pod: StatePod, where: NaiveNode, cluster: NaiveCluster): readonly string[] {
  const hasCsiNode = csiNodeOf(where, cluster) !== undefined;
  const ofDisks = disksOf(pod)
    .filter(({ plugin }) => hasCsiNode && plugin === 'ebs')
    .map(({ handle }) => `ebs.csi.aws.com/${handle.replace(/^aws:\/\/[^/]*\//, '')}`);
  const ofClaims = claimsOf(pod).flatMap(({ claim: name, ephemeral }) => {
    const claim = claimOf(pod, name, cluster);
    if (claim === undefined || (ephemeral && claim.ownerUid !== pod.uid)) return [];
    const volume = volumeOf(claim.volumeName, cluster);
    if (volume !== undefined) {
      if (volume.csi === undefined || (volume.migrates !== undefined && !hasCsiNode)) return [];
      return [`${volume.csi.driver}/${volume.csi.handle}`];
    }
    const provisioner = classOf(claim, cluster)?.provisioner;
    if (provisioner === undefined) return [];
    if (provisioner !== 'kubernetes.io/aws-ebs') return [`${provisioner}/pending ${name}`];
    return hasCsiNode ? [`ebs.csi.aws.com/pending ${pod.namespace}/${name}`] : [];
  });
  return [...new Set([...ofDisks, ...ofClaims])];
}

const driverOf = (handle: string): string => handle.split('/')[0] ?? '';

const limits: NaiveVolumeFilter = (pod, where, cluster) => {
  const csiNode = csiNodeOf(where, cluster);
  const wanted = handlesOf(pod, where, cluster);
  for (const driver of wanted.map(driverOf)) {
    const needed = storageOf(cluster).csiDrivers?.find(({ name }) => name === driver)?.neededOnNode;
    if (needed && !csiNode?.drivers.some(({ name }) => name === driver)) {
      return [`${driver} CSI driver is not installed on the node`];
    }
  }
  const there = new Set(where.pods.flatMap((one) => handlesOf(one, where, cluster)));
  const fresh = wanted.filter((handle) => !there.has(handle));
  const isFull = (csiNode?.drivers ?? []).some(({ name, limit }) => {
    const more = fresh.filter((handle) => driverOf(handle) === name).length;
    const now = [...there].filter((handle) => driverOf(handle) === name).length;
    return limit !== undefined && more > 0 && now + more > limit;
  });
  return isFull ? ['node(s) exceed max volume count'] : [];
};

const reaches = (terms: readonly NodeSelectorTerm[] | undefined, labels: Labels): boolean =>
  terms === undefined ||
  terms.some(
    ({ matchExpressions, matchFields }) =>
      matchExpressions.length + matchFields.length > 0 &&
      matchExpressions.every((one) => matchesExpression(one, labels)),
  );

const isMeantFor = (volume: VolumeView, claim: ClaimView): boolean =>
  volume.claim?.name === claim.name &&
  volume.claim.namespace === claim.namespace &&
  (volume.claim.uid === undefined || volume.claim.uid === claim.uid);

function bestVolume(
  claim: ClaimView,
  taken: readonly VolumeView[],
  { where, cluster }: { readonly where: NaiveNode; readonly cluster: NaiveCluster },
): VolumeView | undefined {
  const { labels } = where.node;
  const candidates = (storageOf(cluster).volumes ?? []).filter(
    (volume) =>
      volume.storageClass === claim.storageClass &&
      !taken.includes(volume) &&
      volume.capacityBytes >= claim.requestedBytes &&
      volume.volumeMode === claim.volumeMode &&
      (volume.attributesClass ?? '') === (claim.attributesClass ?? '') &&
      volume.deletedAtMs === undefined,
  );
  const meant = candidates.find((volume) => isMeantFor(volume, claim));
  if (meant !== undefined) return reaches(meant.nodeAffinity, labels) ? meant : undefined;
  const [best] = candidates
    .filter(
      (volume) =>
        volume.claim === undefined &&
        volume.phase === 'Available' &&
        reaches(volume.nodeAffinity, labels) &&
        (claim.selector === undefined || matchesSelector(claim.selector, volume.labels)) &&
        claim.accessModes.every((mode) => volume.accessModes.includes(mode)),
    )
    .sort((a, b) => a.capacityBytes - b.capacityBytes || (a.name < b.name ? -1 : 1));
  return best;
}

const cannotBind = "node(s) didn't find available persistent volumes to bind";

function provisioning(
  claim: ClaimView,
  { node }: NaiveNode,
  cluster: NaiveCluster,
): string | undefined {
  const storageClass = classOf(claim, cluster);
  const provisioner = storageClass?.provisioner ?? '';
  if (['', 'kubernetes.io/no-provisioner'].includes(provisioner)) return cannotBind;
  const terms = storageClass?.allowedTopologies ?? [];
  const allowed = terms.some(
    (term) =>
      term.length > 0 &&
      term.every(({ key, values }) => values.some((one) => one === labelOf(node.labels, key))),
  );
  if (terms.length > 0 && !allowed) return cannotBind;
  const tracked = storageOf(cluster).csiDrivers?.some(
    ({ name, tracksCapacity }) => name === provisioner && tracksCapacity,
  );
  if (claim.requestedBytes === 0 || !tracked) return undefined;
  const fits = (storageOf(cluster).csiCapacities ?? []).some(
    (one) =>
      one.storageClass === claim.storageClass &&
      (one.maximumVolumeBytes ?? one.capacityBytes ?? -1) >= claim.requestedBytes &&
      matchesSelector(one.nodeTopology, node.labels),
  );
  return fits ? undefined : 'node(s) did not have enough free storage';
}

function unboundFault(
  claims: readonly ClaimView[],
  where: NaiveNode,
  cluster: NaiveCluster,
): string | undefined {
  if (claims.some(({ selectedNode }) => (selectedNode ?? where.node.name) !== where.node.name)) {
    return cannotBind;
  }
  const toMake = claims.filter(({ selectedNode }) => selectedNode !== undefined);
  const taken: VolumeView[] = [];
  const bySize = claims
    .filter(({ selectedNode }) => selectedNode === undefined)
    .sort((a, b) => a.requestedBytes - b.requestedBytes);
  for (const claim of bySize) {
    const volume = bestVolume(claim, taken, { where, cluster });
    if (volume === undefined) toMake.push(claim);
    else taken.push(volume);
  }
  return toMake
    .map((claim) => provisioning(claim, where, cluster))
    .find((fault) => fault !== undefined);
}

const binding: NaiveVolumeFilter = (pod, where, cluster) => {
  const claims = claimsOf(pod).flatMap(({ claim }) => claimOf(pod, claim, cluster) ?? []);
  const migrated = csiNodeOf(where, cluster)?.migrated ?? [];
  const boundFault = claims
    .filter(isBound)
    .map((claim) => {
      const volume = volumeOf(claim.volumeName, cluster);
      if (volume === undefined) {
        return 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
      }
      const moved = volume.migrates !== undefined && migrated.includes(volume.migrates.plugin);
      const affinity = moved ? volume.migrates?.nodeAffinity : volume.nodeAffinity;
      return reaches(affinity, where.node.labels)
        ? undefined
        : "node(s) didn't match PersistentVolume's node affinity";
    })
    .find((fault) => fault !== undefined);
  const waiting = claims.filter((claim) => !isBound(claim));
  return [boundFault, unboundFault(waiting, where, cluster)].filter((fault) => fault !== undefined);
};

const zoneKeys = ['zone', 'region'].flatMap((place) => [
  [`failure-domain.beta.kubernetes.io/${place}`, `topology.kubernetes.io/${place}`],
  [`topology.kubernetes.io/${place}`, `topology.kubernetes.io/${place}`],
]) as readonly (readonly [string, string])[];

const zone: NaiveVolumeFilter = (pod, { node }, cluster) => {
  if (!zoneKeys.some(([key]) => labelOf(node.labels, key) !== undefined)) return [];
  const elsewhere = claimsOf(pod).some(({ claim: name, ephemeral }) => {
    const claim = claimOf(pod, name, cluster);
    const volume = ephemeral ? undefined : volumeOf(claim?.volumeName, cluster);
    return zoneKeys.some(([key, newKey]) => {
      const values = labelOf(volume?.labels ?? {}, key)?.split('__');
      if (values === undefined || values.includes('')) return false;
      const value = labelOf(node.labels, key) ?? labelOf(node.labels, newKey);
      return value === undefined || !values.includes(value);
    });
  });
  return elsewhere ? ['node(s) had no available volume zone'] : [];
};

export const volumeFilters: readonly NaiveVolumeFilter[] = [restrictions, limits, binding, zone];
