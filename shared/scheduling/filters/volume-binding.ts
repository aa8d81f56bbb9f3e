import type { ClaimView } from '#cluster/storage-views.ts';
import type { StateTables } from '../state/state-tables.ts';
import { claimVolumes, podClaims } from '../storage/pod-claims.ts';
import { isReachable } from '../storage/storage-index.ts';
import { bindingOn, provisioningFault } from '../storage/volume-binder.ts';
import type { FitReason } from './filter.ts';
import { requirementText } from './node-affinity.ts';
import type { FilterPlugin } from './plugin.ts';

const schedulerReasons = {
  unreachable: "node(s) didn't match PersistentVolume's node affinity",
  bind: "node(s) didn't find available persistent volumes to bind",
  space: 'node(s) did not have enough free storage',
  missing: 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
} as const;

const reasonOf = (
  kind: keyof typeof schedulerReasons,
  claim: ClaimView,
  why: string,
): FitReason => ({
  code: kind === 'missing' ? 'volumeNotFound' : 'volumeBinding',
  message: `the claim ${claim.namespace}/${claim.name} ${why}`,
  schedulerReason: schedulerReasons[kind],
});

const termsShown = 3;

/** What keeps a bound claim from the node: its volume is gone, or is somewhere else. */
function boundFault(
  claim: ClaimView,
  node: number,
  { nodes, storage }: StateTables,
): FitReason | undefined {
  const name = claim.volumeName ?? '';
  const volume = storage.index.volume(name);
  if (volume === undefined) {
    return reasonOf('missing', claim, `is bound to the volume ${name}, which does not exist`);
  }
  const { migrates } = volume;
  const migrated =
    migrates !== undefined && storage.use.driversOf(node)?.migrated.includes(migrates.plugin);
  const affinity = migrated ? migrates.nodeAffinity : volume.nodeAffinity;
  if (isReachable(affinity, nodes.at(node).labels)) return undefined;
  const where = (affinity ?? [])
    .slice(0, termsShown)
    .map(({ matchExpressions }) => matchExpressions.map(requirementText).join(' and '))
    .join(' or ');
  return reasonOf('unreachable', claim, `has the volume ${name}, which is for nodes with ${where}`);
}

/**
 * VolumeBinding: bound claims have volumes that the node can reach, and those that wait for their first
 * consumer find a volume there or can have one made.
 */
export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  tellsAll: true,
  ask: (pod, tables) => {
    if (claimVolumes(pod).length === 0) return undefined;
    const { nodes, storage } = tables;
    const { index, assumed } = storage;
    const { bound, waiting, rejected } = podClaims(pod, index);
    /** Whatever is placed, these get a volume made or none. */
    const made = waiting.filter(
      (claim) =>
        claim.selectedNode !== undefined || index.volumesOf(claim.storageClass ?? '').length === 0,
    );
    const boundFaults = (node: number): readonly FitReason[] => {
      for (const claim of bound) {
        const fault = boundFault(claim, node, tables);
        if (fault !== undefined) return [fault];
      }
      return [];
    };
    const binding = (node: number) =>
      bindingOn(nodes.at(node), waiting, { storage: index, assumed });
    const suits = (node: number): boolean => {
      const view = nodes.at(node);
      return (
        boundFaults(node).length === 0 &&
        made.every(
          (claim) =>
            (claim.selectedNode ?? view.name) === view.name &&
            provisioningFault(claim, view, index) === undefined,
        )
      );
    };
    return {
      ...(rejected === undefined ? {} : { rejected }),
      fixed: { byName: true, judge: suits },
      ...(waiting.length === 0
        ? {}
        : {
            passes: (node: number) => {
              if (made.length === waiting.length && !assumed.any) return true;
              return binding(node).fault === undefined;
            },
            looksElsewhere: () => true,
          }),
      explain: (node) => {
        if (rejected !== undefined) return [rejected];
        const { fault } = binding(node);
        return [
          ...boundFaults(node),
          ...(fault === undefined ? [] : [reasonOf(fault.code, fault.claim, fault.why)]),
        ];
      },
    };
  },
};
