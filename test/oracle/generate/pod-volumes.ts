import type { Manifest } from '../scene.ts';
import type { Dice } from './dice.ts';
import { claimNames, claimSpec, volumeCount } from './storage.ts';

const disk = (dice: Dice): Record<string, unknown> => {
  const readOnly = dice.maybe(40, () => ({ readOnly: true }));
  return dice.of<() => Record<string, unknown>>([
    () => ({
      awsElasticBlockStore: {
        volumeID: dice.of(['vol-1', 'vol-2', 'aws://us-east-1a/vol-2']),
        ...readOnly,
      },
    }),
    () => ({ gcePersistentDisk: { pdName: dice.of(['pd-1', 'pd-2']), ...readOnly } }),
    () => ({
      iscsi: {
        targetPortal: '10.0.0.1:3260',
        iqn: `iqn.2001-04.com.example:d${dice.between(1, 2)}`,
        lun: 0,
        ...readOnly,
      },
    }),
    () => ({
      rbd: {
        monitors: dice.several(1, 2, () => dice.of(['m1:6789', 'm2:6789'])),
        image: dice.of(['i1', 'i2']),
        ...dice.maybe(40, () => ({ pool: dice.of(['rbd', 'p2']) })),
        ...readOnly,
      },
    }),
  ])();
};

export interface PodVolumes {
  /** To be spread into the pod's spec. */
  readonly fields: Record<string, unknown>;
  /** Claims that are made for the pod's own ephemeral volumes. */
  readonly claims: readonly Manifest[];
}

const ephemeral = (
  dice: Dice,
  pod: string,
): { volume: Record<string, unknown>; claims: readonly Manifest[] } => {
  const spec = claimSpec(dice);
  const bound = dice.chance(40);
  const claims: readonly Manifest[] = dice.chance(85)
    ? [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: {
            name: `${pod}-own`,
            ...(bound ? { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } } : {}),
          },
          spec: bound ? { ...spec, volumeName: `v${dice.between(0, volumeCount - 1)}` } : spec,
        },
      ]
    : [];
  return {
    volume: { name: 'own', ephemeral: { volumeClaimTemplate: { spec } } },
    claims,
  };
};

/** Volumes of the pod of that name, in `percent` of the draws. */
export const podVolumes = (dice: Dice, pod: string, percent: number): PodVolumes => {
  if (!dice.chance(percent)) return { fields: {}, claims: [] };
  const names = [...new Set(dice.several(0, 2, () => dice.of(claimNames)))];
  const disks = dice.chance(20) ? dice.several(1, 2, () => disk(dice)) : [];
  const own = dice.chance(12) ? [ephemeral(dice, pod)] : [];
  const volumes = [
    ...names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    ...disks.map((fields, index) => ({ name: `d${index}`, ...fields })),
    ...own.map(({ volume: one }) => one),
    ...(dice.chance(10) ? [{ name: 'scratch', emptyDir: {} }] : []),
  ];
  return {
    fields: volumes.length === 0 ? {} : { volumes },
    claims: own.flatMap(({ claims }) => claims),
  };
};
