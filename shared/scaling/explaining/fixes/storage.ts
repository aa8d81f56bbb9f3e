import type { PodView } from '#cluster/snapshot.ts';
import type { ClaimView, StorageClassView } from '#cluster/storage-views.ts';
import { changePods, changeSnapshot, podPatch } from '../change-input.ts';
import { nearestTo } from '../edit-distance.ts';
import type { Change } from '../explanation.ts';
import { beyondRepair, type Fixer } from '../fault.ts';
import type { Look } from '../look.ts';
import { yamlOf } from '../yaml.ts';
import { fixVolumePlace } from './zones.ts';

/** Above any slip of the pen. */
const newSize = 1000;

const GiB = 1024 ** 3;

const classesOf = ({ input }: Look): readonly StorageClassView[] =>
  input.snapshot.storageClasses ?? [];

/** Claims that the pod names itself; those of ephemeral volumes are made for it. */
const claimsNamed = ({ volumes = [] }: PodView): readonly string[] =>
  volumes.flatMap((one) => (one.kind === 'claim' && !one.ephemeral ? [one.claim] : []));

const ownClaims = ({ pod, input }: Look): readonly ClaimView[] =>
  (input.snapshot.claims ?? []).filter(({ namespace }) => namespace === pod.namespace);

const useOther = ({ pod }: Look, claim: string, { text, distance }: Near): Change => ({
  kind: 'claim',
  message: `use the claim ${text}, which exists, instead of ${claim}`,
  patch: podPatch(pod, { volumes: [{ persistentVolumeClaim: { claimName: text } }] }),
  size: distance,
  apply: (input) =>
    changePods(input, pod, (one) => ({
      ...one,
      volumes: (one.volumes ?? []).map((volume) =>
        volume.kind === 'claim' && volume.claim === claim ? { ...volume, claim: text } : volume,
      ),
    })),
});

type Near = ReturnType<typeof nearestTo>[number];

const claimYaml = ({ namespace, name, storageClass }: ClaimView): string =>
  yamlOf({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: storageClass,
      resources: { requests: { storage: '1Gi' } },
    },
  });

/** A claim made anew, of the class that waits for its first consumer: the default one, else the first by name. */
const create = (look: Look, name: string): readonly Change[] => {
  const waiting = classesOf(look).filter(
    ({ bindingMode }) => bindingMode === 'WaitForFirstConsumer',
  );
  const storageClass = waiting.find(({ isDefault }) => isDefault) ?? waiting[0];
  if (storageClass === undefined) return [];
  const claim: ClaimView = {
    namespace: look.pod.namespace,
    name,
    uid: '',
    bindCompleted: false,
    storageClass: storageClass.name,
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    requestedBytes: GiB,
    phase: 'Pending',
  };
  return [
    {
      kind: 'claim',
      message: `create the claim ${claim.namespace}/${name}, of the storage class ${storageClass.name} for example`,
      note: 'with the size and access mode that it needs',
      patch: claimYaml(claim),
      size: newSize,
      apply: (input) =>
        changeSnapshot(input, { claims: [...(input.snapshot.claims ?? []), claim] }),
    },
  ];
};

/** Each claim that is missing: one of almost the same name, or a new one. */
export const fixMissingClaims: Fixer = (_site, look) => {
  const known = ownClaims(look).map(({ name }) => name);
  const missing = claimsNamed(look.pod).filter((name) => !known.includes(name));
  if (missing.length === 0) return beyondRepair;
  return missing.map((name) => ({
    fixes: [
      ...nearestTo(name, known).map((near) => useOther(look, name, near)),
      ...create(look, name),
    ],
  }));
};

const changeClass = (claim: ClaimView, to: string, size: number): Change => ({
  kind: 'storageClass',
  message: `make the claim ${claim.namespace}/${claim.name} anew with the storage class ${to}`,
  note: 'the class of a claim cannot be changed: delete it first',
  patch: claimYaml({ ...claim, storageClass: to }),
  size,
  apply: (input) =>
    changeSnapshot(input, {
      claims: (input.snapshot.claims ?? []).map((one) =>
        one.namespace === claim.namespace && one.name === claim.name
          ? { ...one, storageClass: to }
          : one,
      ),
    }),
});

/** Claims whose class does not exist, or that name none; else where their volumes are. */
export const fixBinding: Fixer = (site, look) => {
  const classes = classesOf(look);
  const named = new Set(claimsNamed(look.pod));
  const orphans = ownClaims(look).filter(
    ({ name, storageClass = '', volumeName }) =>
      named.has(name) &&
      volumeName === undefined &&
      !classes.some((one) => one.name === storageClass),
  );
  if (orphans.length === 0) return fixVolumePlace(site, look);
  const known = classes.map(({ name }) => name);
  const defaults = classes.filter(({ isDefault }) => isDefault);
  return orphans.map((claim) => {
    const near = nearestTo(claim.storageClass ?? '', known);
    const others = defaults.filter(({ name }) => !near.some(({ text }) => text === name));
    return {
      fixes: [
        ...near.map(({ text, distance }) => changeClass(claim, text, distance)),
        ...others.map(({ name }) => changeClass(claim, name, newSize)),
      ],
    };
  });
};
