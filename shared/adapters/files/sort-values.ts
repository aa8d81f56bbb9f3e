import { isJsonObject, type JsonObject } from '#cluster/json.ts';
import type { Problem } from '#cluster/problem.ts';
import { isAwsDocument } from '#scaling/read-aws-objects.ts';

/*
 * Tells recorded values apart by what they hold, never by the name of their file.
 */

export type Sorted =
  | { readonly sort: 'object'; readonly kind: string; readonly value: JsonObject }
  | { readonly sort: 'aws'; readonly value: JsonObject }
  | { readonly sort: 'prices'; readonly value: JsonObject }
  /** A List of a kind that is empty: there are none. */
  | { readonly sort: 'none'; readonly kind: string }
  | { readonly sort: 'leftAside'; readonly what: string }
  | { readonly sort: 'problem'; readonly problem: Omit<Problem, 'file'> };

/** The Kubernetes kinds that every plan reads. */
export const plannedKinds: readonly string[] = ['Node', 'Pod', 'DaemonSet', 'Lease'];

/** Of the others a plan reads most where some pod asks for it: a volume, a namespace by its labels. */
const recordedKinds: readonly string[] = [
  'PodDisruptionBudget',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'PriorityClass',
  'CSINode',
  'CSIDriver',
  'CSIStorageCapacity',
  'Namespace',
];

const keptKinds = new Set([...plannedKinds, ...recordedKinds]);

/** Other API groups have kinds of the same names: a `Node` of a storage system is no node. */
const knownGroups = new Set([
  '',
  'apps',
  'extensions',
  'policy',
  'storage.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
]);

const groupOf = (apiVersion: unknown): string => {
  if (typeof apiVersion !== 'string') return '';
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
};

/** An element of an AWS answer that stands alone (`--query`) belongs to the list that is named. */
const awsListOf = (value: JsonObject): string | undefined => {
  if ('AutoScalingGroupName' in value && ('MinSize' in value || 'DesiredCapacity' in value)) {
    return 'AutoScalingGroups';
  }
  if ('LaunchTemplateData' in value) return 'LaunchTemplateVersions';
  return 'InstanceType' in value && ('VCpuInfo' in value || 'MemoryInfo' in value)
    ? 'InstanceTypes'
    : undefined;
};

const isPrice = (value: unknown): boolean =>
  typeof value === 'number' || (isJsonObject(value) && ('onDemand' in value || 'spot' in value));

const isPrices = (value: JsonObject): boolean => {
  const entries = Object.entries(value);
  if (entries.length === 0) return false;
  return (
    entries.every(([, price]) => isPrice(price)) ||
    entries.every(([type]) => /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(type))
  );
};

/** An answer of AWS that is known but that no plan needs: one list in capitals, perhaps a token. */
const otherAwsList = (value: JsonObject): string | undefined =>
  Object.keys(value).find((key) => /^[A-Z][A-Za-z]+$/.test(key) && Array.isArray(value[key]));

const problem = (field: string, code: string, message: string): Sorted => ({
  sort: 'problem',
  problem: { ...(field === '' ? {} : { field }), code, message },
});

const sortElements = (
  list: readonly unknown[],
  field: string,
  sort: (value: unknown, field: string) => readonly Sorted[],
): readonly Sorted[] => list.flatMap((value, index) => sort(value, `${field}[${index}]`));

/** Lists inside Lists end somewhere; a thousand levels are no cluster. */
const deepest = 50;

/**
 * What one recorded value is. A List (`items`, `Items`, a bare array, an AWS answer) gives one result
 * per element; `listKind` is the kind of a typed List (`PodList`), whose items name none.
 */
export const sortValue = (
  value: unknown,
  field = '',
  listKind?: string,
  level = 0,
): readonly Sorted[] => {
  if (level > deepest) return [problem(field, 'tooDeep', 'Lists within Lists without end')];
  const inner = (element: unknown, at: string, kind?: string): readonly Sorted[] =>
    sortValue(element, at, kind, level + 1);
  if (Array.isArray(value)) return sortElements(value, field, (element, at) => inner(element, at));
  if (!isJsonObject(value)) {
    return [problem(field, 'notAnObject', 'is no object: leave it out or record it again')];
  }
  const itemsKey = Array.isArray(value.items) ? 'items' : 'Items';
  const items = value[itemsKey];
  if (Array.isArray(items)) {
    const kind = itemKind(value.kind);
    if (items.length === 0 && kind !== undefined && knownGroups.has(groupOf(value.apiVersion))) {
      return [{ sort: 'none', kind }];
    }
    const at = `${field === '' ? '' : `${field}.`}${itemsKey}`;
    return sortElements(items, at, (element, place) => inner(element, place, kind));
  }
  const kind = typeof value.kind === 'string' ? value.kind : listKind;
  if (kind !== undefined) {
    const group = groupOf(value.apiVersion);
    if (!knownGroups.has(group)) return [{ sort: 'leftAside', what: `${kind}.${group}` }];
    if (!keptKinds.has(kind)) return [{ sort: 'leftAside', what: kind }];
    return [{ sort: 'object', kind, value: value.kind === kind ? value : { ...value, kind } }];
  }
  if (isAwsDocument(value)) return [{ sort: 'aws', value }];
  const list = awsListOf(value);
  if (list !== undefined) return [{ sort: 'aws', value: { [list]: [value] } }];
  if (isPrices(value)) return [{ sort: 'prices', value }];
  const other = otherAwsList(value);
  if (other !== undefined) return [{ sort: 'leftAside', what: other }];
  return [
    problem(
      field,
      'notRecognised',
      'is neither output of kubectl (-o json or yaml) nor of aws (--output json), nor outrider.yaml, nor prices: leave it out or record it again',
    ),
  ];
};

/** `Pod` of `PodList`; a plain `List` says nothing of its items. */
export const itemKind = (listKind: unknown): string | undefined => {
  if (typeof listKind !== 'string' || !listKind.endsWith('List')) return undefined;
  return listKind.slice(0, -'List'.length) || undefined;
};
