import { compareText } from '#cluster/order.ts';
import type { CsiNodeView } from '#cluster/storage-views.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { InstanceType } from './aws-views.ts';
import { instanceTypeOf, isNewer, type LiveNode } from './match-nodes.ts';

type Drivers = NonNullable<NodeTemplate['csi']>;
type Driver = Drivers['drivers'][number];

/** What the CSI drivers of a new node of a group and instance type will say; `undefined` where nobody knows. */
export type DriversOf = (group: string, type: string) => Drivers | undefined;

/**
 * CSI drivers as they are on the group's own nodes of the type; where it has none, on nodes of the type in other
 * groups, since how many volumes can be attached is the type's matter. Of several nodes the least limit counts:
 * it falls with the network interfaces that a node had when its driver started.
 */
export const learnDrivers = (
  liveOf: ReadonlyMap<string, ReadonlyMap<string, LiveNode>>,
  csiNodes: readonly CsiNodeView[],
): DriversOf => {
  if (csiNodes.length === 0) return () => undefined;
  const byName = new Map(csiNodes.map((csiNode) => [csiNode.name, csiNode]));
  const own = new Map<string, Drivers[]>();
  const all = new Map<string, Drivers[]>();
  for (const [group, live] of liveOf) {
    for (const one of [...live.values()].sort(newestFirst)) {
      const drivers = byName.get(one.node.name);
      if (drivers === undefined || drivers.drivers.length === 0) continue;
      const type = instanceTypeOf(one);
      add(own, `${group} ${type}`, drivers);
      add(all, type, drivers);
    }
  }
  return (group, type) => leastDrivers(own.get(`${group} ${type}`) ?? all.get(type) ?? []);
};

const newestFirst = (a: LiveNode, b: LiveNode): number => (isNewer(a.node, b.node) ? -1 : 1);

const add = (lists: Map<string, Drivers[]>, key: string, drivers: Drivers): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [drivers]);
  else list.push(drivers);
};

/**
 * What the EBS driver will say on a node of a type of which no node has said it; `undefined` where EC2 did not tell
 * how many volumes it takes. Other drivers may be missing there, as they are on a node without a CSINode.
 */
export const driversOfType = ({ maxDataVolumes }: InstanceType): Drivers | undefined =>
  maxDataVolumes === undefined
    ? undefined
    : {
        drivers: [
          {
            name: 'ebs.csi.aws.com',
            nodeId: '',
            topologyKeys: ['topology.ebs.csi.aws.com/zone'],
            limit: maxDataVolumes,
          },
        ],
        migrated: ['kubernetes.io/aws-ebs'],
      };

/** Every driver that any of them has, with the least limit that any of them gives; in-tree plugins as on the first. */
export const leastDrivers = (all: readonly (Drivers | undefined)[]): Drivers | undefined => {
  const known = all.filter((drivers) => drivers !== undefined);
  const [first] = known;
  if (first === undefined) return undefined;
  const byName = new Map<string, Driver>();
  for (const driver of known.flatMap(({ drivers }) => drivers)) {
    const other = byName.get(driver.name);
    byName.set(driver.name, other === undefined ? driver : withLeastLimit(other, driver));
  }
  return {
    drivers: [...byName.values()].sort((a, b) => compareText(a.name, b.name)),
    migrated: first.migrated,
  };
};

const withLeastLimit = (one: Driver, other: Driver): Driver => {
  if (other.limit === undefined) return one;
  return { ...one, limit: Math.min(one.limit ?? other.limit, other.limit) };
};
