import type { PodView } from '#cluster/snapshot.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import {
  group,
  instanceType,
  launchTemplate,
  pod,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

export interface NodeRoom {
  readonly milliCpu: number;
  readonly memoryBytes: number;
  readonly pods: number;
}

const mostNodes = 100_000;
const tag = (name: string): string => `k8s.io/cluster-autoscaler/node-template/resources/${name}`;

/** A cluster of no node, with one group at zero whose tags say what its nodes have. */
export const fromZero = (room: NodeRoom, pods: readonly PodView[]): ScaleUpInput =>
  scaleUpInput({
    pods,
    groups: [
      group('workers', {
        max: mostNodes,
        launchTemplate: { id: 'lt-workers', version: '$Latest' },
        tags: {
          [tag('cpu')]: `${room.milliCpu}m`,
          [tag('memory')]: String(room.memoryBytes),
          [tag('pods')]: String(room.pods),
        },
      }),
    ],
    launchTemplates: [launchTemplate('lt-workers')],
    instanceTypes: [instanceType('m5.large')],
    policy: { maxNodesPerDecision: mostNodes },
  });

/** Pods that no controller made, each an object of its own as if just read. */
export const barePods = (count: number, name: string, cpu: number, memory: number): PodView[] =>
  Array.from({ length: count }, (_, index) => {
    const { owner: _owner, ...bare } = pod(`${name}-${index}`, { requests: { cpu, memory } });
    return bare;
  });
