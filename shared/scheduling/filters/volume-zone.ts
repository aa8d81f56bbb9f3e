import { getOwn } from '#cluster/own-record.ts';
import type { VolumeView } from '#cluster/storage-views.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import { claimVolumes, isBound } from '../storage/pod-claims.ts';
import type { StorageIndex } from '../storage/storage-index.ts';
import type { FitReason } from './filter.ts';
import type { FilterPlugin } from './plugin.ts';

type Labels = Readonly<Record<string, string>>;

const zone = 'topology.kubernetes.io/zone';
const region = 'topology.kubernetes.io/region';

/** The labels of place, and the newer name of the old ones. */
const placeLabels = new Map([
  ['failure-domain.beta.kubernetes.io/zone', zone],
  ['failure-domain.beta.kubernetes.io/region', region],
  [zone, zone],
  [region, region],
]);

/** Where a volume is, by one of its labels. */
interface Place {
  readonly volume: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** The places of a volume; a label with an empty part among them is passed over. */
function placesOf({ name, labels }: VolumeView): readonly Place[] {
  return [...placeLabels.keys()].flatMap((key) => {
    const values = getOwn(labels, key)
      ?.split('__')
      .map((value) => value.trim());
    return values === undefined || values.includes('') ? [] : [{ volume: name, key, values }];
  });
}

/** The volumes of the pod's bound claims; ephemeral ones are not looked at here. */
function boundVolumes(
  pod: StatePod,
  index: StorageIndex,
): { readonly volumes: readonly VolumeView[]; readonly missing?: FitReason } {
  const volumes: VolumeView[] = [];
  for (const { claim: name, ephemeral } of claimVolumes(pod)) {
    const claim = ephemeral ? undefined : index.claim(pod.namespace, name);
    if (claim === undefined || !isBound(claim)) continue;
    const volume = index.volume(claim.volumeName ?? '');
    if (volume === undefined) {
      const missing: FitReason = {
        code: 'volumeNotFound',
        message: `the claim ${pod.namespace}/${name} is bound to the volume ${claim.volumeName ?? ''}, which does not exist`,
        schedulerReason: `persistentvolume "${claim.volumeName ?? ''}" not found`,
      };
      return { volumes, missing };
    }
    volumes.push(volume);
  }
  return { volumes };
}

function isThere({ key, values }: Place, labels: Labels): boolean {
  const value = getOwn(labels, key) ?? getOwn(labels, placeLabels.get(key) ?? key);
  return value !== undefined && values.includes(value);
}

const hasPlace = (labels: Labels): boolean =>
  [...placeLabels.keys()].some((key) => Object.hasOwn(labels, key));

/** VolumeZone: zone and region labels of bound volumes are the node's; a node without any takes all. */
export const volumeZone: FilterPlugin = {
  name: 'VolumeZone',
  ask: (pod, { nodes, storage }) => {
    const { volumes, missing } = boundVolumes(pod, storage.index);
    const places = volumes.flatMap(placesOf);
    if (places.length === 0 && missing === undefined) return undefined;
    const elsewhere = (node: number): readonly Place[] => {
      const { labels } = nodes.templateOf(node);
      return hasPlace(labels) ? places.filter((place) => !isThere(place, labels)) : [];
    };
    return {
      ...(missing === undefined ? {} : { rejected: missing }),
      fixed: { judge: (node) => elsewhere(node).length === 0, byName: false },
      explain: (node) =>
        elsewhere(node).map(({ volume, key, values }) => ({
          code: 'volumeZone',
          message: `the volume ${volume} is in ${key}=${values.join(' or ')}, where the node is not`,
          schedulerReason: 'node(s) had no available volume zone',
        })),
    };
  },
};
