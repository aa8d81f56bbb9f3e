import { expect, it } from 'vitest';
import { stripObject } from '#adapters/files/strip-object.ts';

const stripped = (object: object): unknown => {
  const copy = structuredClone(object);
  stripObject(copy);
  return copy;
};

it('takes parameters and mount options out of a StorageClass', () => {
  const kept = { kind: 'StorageClass', provisioner: 'p', volumeBindingMode: 'Immediate' };
  const planted = { parameters: { password: 'planted' }, mountOptions: ['password=planted'] };
  expect(stripped({ ...kept, ...planted })).toEqual(kept);
});

it('keeps of the source of a volume only driver and handle', () => {
  const spec = {
    storageClassName: 'gp3',
    mountOptions: ['password=planted'],
    csi: {
      driver: 'd',
      volumeHandle: 'h',
      volumeAttributes: { password: 'planted' },
      nodeStageSecretRef: { name: 's', namespace: 'n' },
    },
  };
  expect(stripped({ kind: 'PersistentVolume', spec })).toEqual({
    kind: 'PersistentVolume',
    spec: { storageClassName: 'gp3', csi: { driver: 'd', volumeHandle: 'h' } },
  });
});
