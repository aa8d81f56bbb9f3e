import { claimNotFound, claimVolumes } from '../storage/pod-claims.ts';
import type { Disk } from '../storage/volume-use.ts';
import type { FilterPlugin } from './plugin.ts';

const inUse =
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';

/**
 * VolumeRestrictions: a claim that only one pod may have is not had by another, wherever that is; an
 * in-tree disk is not on the node already (of some, readers may share it).
 */
export const volumeRestrictions: FilterPlugin = {
  name: 'VolumeRestrictions',
  ask: (pod, { storage }) => {
    const { index, use } = storage;
    const { namespace, volumes = [] } = pod;
    if (volumes.length === 0) return undefined;
    const claims = claimVolumes(pod).filter(({ ephemeral }) => !ephemeral);
    const lost = claims.find(({ claim }) => index.claim(namespace, claim) === undefined);
    const alone = claims
      .map(({ claim }) => claim)
      .filter((claim) => index.claim(namespace, claim)?.accessModes.includes('ReadWriteOncePod'));
    const disks: readonly Disk[] = volumes.filter((volume) => volume.kind === 'disk');
    use.prepare();
    const isTaken = (claim: string): boolean => use.usersOf(namespace, claim) > 0;
    return {
      ...(lost === undefined ? {} : { rejected: claimNotFound(namespace, lost.claim) }),
      passes: (node) => !disks.some((disk) => use.conflicts(disk, node)) && !alone.some(isTaken),
      looksElsewhere: () => alone.length > 0,
      inARow: (_node, wanted) => {
        const excludesItself = alone.length > 0 || disks.some((disk) => use.excludesItself(disk));
        return excludesItself ? Math.min(wanted, 1) : wanted;
      },
      explain: (node) => [
        ...disks
          .filter((disk) => use.conflicts(disk, node))
          .map(({ plugin, handle }) => ({
            code: 'volumeConflict' as const,
            message: `a pod there has the ${plugin} disk ${handle}`,
            schedulerReason: 'node(s) had no available disk',
          })),
        ...alone.filter(isTaken).map((claim) => ({
          code: 'volumeConflict' as const,
          message: `another pod has the claim ${namespace}/${claim}, which only one may have (ReadWriteOncePod)`,
          schedulerReason: inUse,
        })),
      ],
    };
  },
};
