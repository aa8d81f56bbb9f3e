import type { Taint } from '#cluster/constraints.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import { runsVpcCni } from '#kubelet/max-pods.ts';
import { nodeShape } from './node-shape.ts';
import type { Random } from './random.ts';
import type { InstanceState, WorldState } from './state.ts';

const notReady: Taint = { key: 'node.kubernetes.io/not-ready', value: '', effect: 'NoSchedule' };

/** EC2 itself calls an instance running after about this long. */
const inServiceMs = 12_000;

export interface Nodes {
  /** The way of a launched instance to a Ready Node, or to nothing. */
  boot(instance: InstanceState, nth: number): void;
  /** A Node that is Ready from the start. */
  settle(instance: InstanceState): void;
}

export interface NodesParts {
  readonly state: WorldState;
  readonly random: { readonly boot: Random; readonly register: Random };
  /** A Node became Ready: DaemonSets and the scheduler look at it. */
  readonly onReady: (node: NodeView) => void;
}

/** What kubelets do: register, and become Ready. */
export const createNodes = ({ state, random, onReady }: NodesParts): Nodes => {
  const { timeline } = state;
  const vpcCni = runsVpcCni(state.spec.daemonSets);
  let addresses = 10;

  const facts = (instance: InstanceState) => ({
    group: instance.group.name,
    instance: instance.id,
    zone: instance.zone,
    instanceType: instance.type,
  });

  const register = (instance: InstanceState): NodeView => {
    addresses += 1;
    const address = [10, 0, addresses >> 8, addresses & 0xff];
    const name = `ip-${address.join('-')}.ec2.internal`;
    const { capacity, allocatable, architecture } = nodeShape(
      instance.type,
      instance.group,
      vpcCni,
    );
    const node: NodeView = {
      name,
      uid: `node-${instance.id}`,
      labels: {
        ...instance.group.labels,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': architecture,
        'node.kubernetes.io/instance-type': instance.type,
        'topology.kubernetes.io/region': state.spec.region,
        'topology.kubernetes.io/zone': instance.zone,
      },
      annotations: {},
      providerId: `aws:///${instance.zone}/${instance.id}`,
      internalIp: address.join('.'),
      internalDns: name,
      createdAtMs: timeline.nowMs(),
      unschedulable: false,
      taints: [...instance.group.taints, notReady],
      capacity,
      allocatable,
      ready: 'False',
    };
    instance.nodeName = name;
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

  return {
    boot: (instance, nth) => {
      const { group, launchedAtMs } = instance;
      const bootMs = random.boot.between(group.boot.fromMs, group.boot.toMs);
      const readyMs = random.boot.between(group.ready.fromMs, group.ready.toMs);
      const lot = random.register.between(1, 1000);
      const silent = nth <= group.neverRegister.first || lot <= group.neverRegister.perMille;
      timeline.at(launchedAtMs + Math.min(bootMs, inServiceMs), () => {
        instance.lifecycleState = 'InService';
      });
      timeline.at(launchedAtMs + bootMs, () => {
        if (silent) {
          state.silentInstances += 1;
          state.tell({ kind: 'nodeMissing', afterMs: bootMs, ...facts(instance) });
          return;
        }
        const node = register(instance);
        state.tell({ kind: 'nodeRegistered', node: node.name, ...facts(instance) });
        timeline.at(timeline.nowMs() + readyMs, () => {
          const ready = becomeReady(node);
          const afterMs = timeline.nowMs() - launchedAtMs;
          state.tell({ kind: 'nodeReady', node: node.name, afterMs, ...facts(instance) });
          onReady(ready);
        });
      });
    },
    settle: (instance) => onReady(becomeReady(register(instance))),
  };
};
