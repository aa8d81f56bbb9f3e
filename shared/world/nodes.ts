import type { Taint } from '#cluster/constraints.ts';
import type { Resources } from '#cluster/resources.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import { runsVpcCni } from '#kubelet/max-pods.ts';
import { instanceTypes } from './instance-types.ts';
import { nodeShape } from './node-shape.ts';
import type { Random } from './random.ts';
import type { ForeignNode, Lot, WorldGroup } from './spec.ts';
import type { InstanceState, LaunchActivity, WorldState } from './state.ts';
import { isKept } from './state.ts';

const notReady: Taint = { key: 'node.kubernetes.io/not-ready', value: '', effect: 'NoSchedule' };

/** EC2 itself calls an instance running after about this long. */
const inServiceMs = 12_000;

export interface Nodes {
  /** The way of a launched instance to a Ready Node, or to nothing. */
  boot(instance: InstanceState, nth: number, activity: LaunchActivity): void;
  /** A Node that is Ready from the start. */
  settle(instance: InstanceState): void;
  /** A Node, Ready from the start, on an instance that another cluster's group has. */
  intrude(foreign: ForeignNode): void;
}

export interface NodesParts {
  readonly state: WorldState;
  readonly random: (stream: string) => Random;
  /** A Node became Ready: DaemonSets and the scheduler look at it. */
  readonly onReady: (node: NodeView) => void;
  /** A Node offers more than before. */
  readonly onCapacity: () => void;
  /** An instance shut down by itself. */
  readonly onCrash: (instance: InstanceState) => void;
}

/** What becomes of one instance. */
type Fate = 'usable' | 'crashes' | 'neverRegister' | 'neverReady' | 'neverDevices';

const fates = ['crashes', 'neverRegister', 'neverReady', 'neverDevices'] as const;

interface Machine {
  readonly group: Pick<WorldGroup, 'kubelet' | 'rootVolumeGiB' | 'labels' | 'taints'>;
  readonly id: string;
  readonly zone: string;
  readonly type: string;
}

/** The kubelet's Node without the resources that a device plugin brings. */
const withoutDevices = (node: NodeView, devices: readonly string[]): NodeView => {
  const strip = (amounts: Resources): Resources =>
    Object.fromEntries(Object.entries(amounts).filter(([name]) => !devices.includes(name)));
  return { ...node, capacity: strip(node.capacity), allocatable: strip(node.allocatable) };
};

/** What kubelets and device plugins do: register, become Ready, offer devices; or not. */
export const createNodes = (parts: NodesParts): Nodes => {
  const { state, onReady, onCapacity, onCrash } = parts;
  const { timeline } = state;
  const vpcCni = runsVpcCni(state.spec.daemonSets);
  const boots = parts.random('boot');
  const deviceTimes = parts.random('devices');
  const lots = {
    crashes: parts.random('crash'),
    neverRegister: parts.random('register'),
    neverReady: parts.random('ready'),
    neverDevices: parts.random('device'),
  };
  let addresses = 10;

  const facts = (instance: InstanceState) => ({
    group: instance.group.name,
    instance: instance.id,
    zone: instance.zone,
    instanceType: instance.type,
  });

  /** Every lot is drawn, so that one fault more leaves the others where they were. */
  const fateOf = ({ group }: InstanceState, nth: number): Fate => {
    const drawn = fates.filter((fate) => {
      const { first, perMille }: Lot = group[fate];
      return lots[fate].between(1, 1000) <= perMille || nth <= first;
    });
    return drawn[0] ?? 'usable';
  };

  const register = (machine: Machine): NodeView => {
    addresses += 1;
    const address = [10, 0, addresses >> 8, addresses & 0xff];
    const name = `ip-${address.join('-')}.ec2.internal`;
    const { capacity, allocatable, architecture } = nodeShape(machine.type, machine.group, vpcCni);
    const node: NodeView = {
      name,
      uid: `node-${machine.id}`,
      labels: {
        ...machine.group.labels,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': architecture,
        'node.kubernetes.io/instance-type': machine.type,
        'topology.kubernetes.io/region': state.spec.region,
        'topology.kubernetes.io/zone': machine.zone,
      },
      annotations: {},
      providerId: `aws:///${machine.zone}/${machine.id}`,
      internalIp: address.join('.'),
      internalDns: name,
      createdAtMs: timeline.nowMs(),
      unschedulable: false,
      taints: [...machine.group.taints, notReady],
      capacity,
      allocatable,
      ready: 'False',
    };
    state.nodes.set(name, node);
    state.podsOn.set(name, new Set());
    return node;
  };

  const becomeReady = (node: NodeView): NodeView => {
    const taints = node.taints.filter((taint) => taint.key !== notReady.key);
    const ready: NodeView = { ...node, taints, ready: 'True' };
    state.nodes.set(node.name, ready);
    return ready;
  };

  /** Does it so long from now, unless the instance was terminated meanwhile. */
  const later = (instance: InstanceState, ms: number, run: () => void): void =>
    timeline.at(timeline.nowMs() + ms, () => {
      if (isKept(instance)) run();
    });

  /** Ready; its devices with it, later or never. */
  const makeReady = (instance: InstanceState, node: NodeView, fate: Fate): void => {
    const { devices: span } = instance.group;
    const devices = Object.keys(instanceTypes.get(instance.type)?.devices ?? {});
    const afterMs = timeline.nowMs() - instance.launchedAtMs;
    const waitMs = deviceTimes.between(span.fromMs, span.toMs);
    const late = devices.length > 0 && (fate === 'neverDevices' || waitMs > 0);
    const ready = becomeReady(late ? withoutDevices(node, devices) : node);
    state.tell({ kind: 'nodeReady', node: node.name, afterMs, ...facts(instance) });
    onReady(ready);
    if (!late) return;
    const missing = { node: node.name, resources: devices, ...facts(instance) };
    state.tell({ kind: 'devicesMissing', ...missing });
    if (fate === 'neverDevices') {
      state.uselessInstances += 1;
      return;
    }
    later(instance, waitMs, () => {
      becomeReady(node);
      state.tell({ kind: 'devicesAppeared', ...missing });
      onCapacity();
    });
  };

  const makeNode = (instance: InstanceState, fate: Fate, readyMs: number): void => {
    const node = register(instance);
    instance.nodeName = node.name;
    state.tell({ kind: 'nodeRegistered', node: node.name, ...facts(instance) });
    later(instance, readyMs, () => {
      if (fate !== 'neverReady') {
        makeReady(instance, node, fate);
        return;
      }
      state.uselessInstances += 1;
      state.tell({ kind: 'nodeNotReady', node: node.name, ...facts(instance) });
    });
  };

  return {
    boot: (instance, nth, activity) => {
      const { group } = instance;
      const bootMs = boots.between(group.boot.fromMs, group.boot.toMs);
      const readyMs = boots.between(group.ready.fromMs, group.ready.toMs);
      const fate = fateOf(instance, nth);
      later(instance, Math.min(bootMs, inServiceMs), () => {
        instance.lifecycleState = 'InService';
        activity.status = 'succeeded';
      });
      later(instance, bootMs, () => {
        if (fate === 'crashes') {
          state.uselessInstances += 1;
          onCrash(instance);
        } else if (fate === 'neverRegister') {
          state.uselessInstances += 1;
          state.tell({ kind: 'nodeMissing', afterMs: bootMs, ...facts(instance) });
        } else makeNode(instance, fate, readyMs);
      });
    },
    settle: (instance) => {
      const node = register(instance);
      instance.nodeName = node.name;
      onReady(becomeReady(node));
    },
    intrude: ({ instance: id, instanceType: type, zone }) => {
      const [group] = state.spec.groups;
      if (group !== undefined) onReady(becomeReady(register({ group, id, zone, type })));
    },
  };
};
