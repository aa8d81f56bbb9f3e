import { compareText } from '#cluster/order.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { AutoScalingGroup, InstanceType, NodeGroupsView } from '#scaling/aws-views.ts';
import { instanceTypes } from './instance-types.ts';
import type { WorldGroup, WorldObjects, WorldSpec } from './spec.ts';
import { type GroupState, type WorldState, weightOf } from './state.ts';

const byName = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
  items.toSorted((a, b) => compareText(a.name, b.name));

const tagPrefix = 'k8s.io/cluster-autoscaler';

const tagsOf = (cluster: string, group: WorldGroup): Readonly<Record<string, string>> => {
  const tags: Record<string, string> = {
    [`${tagPrefix}/enabled`]: 'true',
    [`${tagPrefix}/${cluster}`]: 'owned',
  };
  for (const [key, value] of Object.entries(group.labels)) {
    tags[`${tagPrefix}/node-template/label/${key}`] = value;
  }
  for (const { key, value, effect } of group.taints) {
    tags[`${tagPrefix}/node-template/taint/${key}`] = `${value}:${effect}`;
  }
  return { ...tags, ...group.tags };
};

const templateId = (group: string): string => `lt-${group}`;

/** Each group has one of its own: the kubelet's configuration is the group's, and there is no user data. */
const imageOf = (group: string): string => `ami-${group}`;

export const viewGroup = (
  cluster: string,
  { spec, desired, instances }: GroupState,
): AutoScalingGroup => ({
  name: spec.name,
  min: spec.min,
  max: spec.max,
  desired,
  zones: spec.zones,
  tags: tagsOf(cluster, spec),
  launchTemplate: {
    id: templateId(spec.name),
    name: spec.name,
    version: spec.launchTemplateVersion ?? '$Default',
  },
  overrides:
    spec.instanceTypes.length < 2 && spec.weights === undefined
      ? []
      : spec.instanceTypes.map((instanceType) => ({
          instanceType,
          byAttributes: false,
          ...(spec.weights === undefined ? {} : { weight: weightOf(spec, instanceType) }),
        })),
  instances: instances.map(({ id, zone, type, lifecycleState, protectedFromScaleIn }) => ({
    id,
    zone,
    type,
    lifecycleState,
    healthy: true,
    protectedFromScaleIn,
    launchTemplate: { id: templateId(spec.name), name: spec.name, version: '1' },
    ...(spec.weights === undefined ? {} : { weight: weightOf(spec, type) }),
  })),
  suspendedProcesses: spec.suspendedProcesses,
  newInstancesProtected: spec.newInstancesProtected,
});

const typesOf = (spec: WorldSpec): readonly InstanceType[] => {
  const names = new Set(spec.groups.flatMap((group) => group.instanceTypes));
  return [...names].sort(compareText).flatMap((name) => {
    const known = instanceTypes.get(name);
    if (known === undefined) return [];
    const { microDollarsPerHour: _price, ...type } = known;
    return [type];
  });
};

/** The groups as AWS would describe them now, each list in order of its names. */
export const viewGroups = (state: WorldState): NodeGroupsView => ({
  region: state.spec.region,
  groups: byName([...state.groups.values()].map((group) => viewGroup(state.spec.cluster, group))),
  launchTemplates: byName(state.spec.groups).map((group) => ({
    id: templateId(group.name),
    name: group.name,
    version: 1,
    isDefault: true,
    ...(group.instanceTypes[0] === undefined ? {} : { instanceType: group.instanceTypes[0] }),
    byAttributes: false,
    imageId: imageOf(group.name),
    rootVolumeGiB: group.rootVolumeGiB,
  })),
  instanceTypes: typesOf(state.spec),
});

/** Those that the spec tells of, and one for each pod of another, labelled as the API server labels it. */
export const viewObjects = ({ spec, pods }: WorldState): WorldObjects => {
  const given = spec.objects?.namespaces ?? [];
  const named = new Set(given.map(({ name }) => name));
  const others = new Set<string>();
  for (const { view } of pods.values()) if (!named.has(view.namespace)) others.add(view.namespace);
  const namespaces = [
    ...given,
    ...[...others].map((name) => ({ name, labels: { 'kubernetes.io/metadata.name': name } })),
  ];
  return { ...spec.objects, ...(namespaces.length > 0 && { namespaces: byName(namespaces) }) };
};

/** The cluster as its API server would list it now. */
export const viewCluster = (state: WorldState): ClusterSnapshot => ({
  nodes: [...state.nodes.values()],
  pods: [...state.pods.values()].map(({ view }) => view),
  daemonSets: state.spec.daemonSets.map(({ namespace, name, constraints }) => ({
    ...constraints,
    namespace,
    name,
    uid: `daemonset-${namespace}-${name}`,
    labels: {},
  })),
  leases: [],
  ...viewObjects(state),
});
