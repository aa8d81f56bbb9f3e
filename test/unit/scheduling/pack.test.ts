import { describe, expect, it } from 'vitest';
import { type SchedulingNode, schedulingNode } from '#scheduling/node.ts';
import { packOnNodes } from '#scheduling/pack.ts';
import { buildNode, buildPod } from '../../helpers/cluster-builders.ts';

const cpuNode = (name: string, cpu: number, labels = {}): SchedulingNode =>
  schedulingNode(buildNode(name, { allocatable: { cpu, pods: 110 }, labels }));

const cpuPod = (name: string, cpu: number) => buildPod(name, { requests: { cpu } });

const told = (packing: {
  placed: readonly { pod: { name: string }; node: { name: string } }[];
}): string[] => packing.placed.map(({ pod, node }) => `${pod.name} on ${node.name}`);

describe('packOnNodes', () => {
  it('places each pod on the first node that takes it, and tells which none takes', () => {
    const nodes = [cpuNode('n1', 1000), cpuNode('n2', 3000)];
    const pods = [cpuPod('a', 2000), cpuPod('b', 600), cpuPod('c', 600), cpuPod('d', 600)];
    const packing = packOnNodes(pods, nodes);
    expect(told(packing)).toEqual(['a on n2', 'b on n1', 'c on n2']);
    expect(packing.unplaced.map(({ name }) => name)).toEqual(['d']);
    expect(nodes.map(({ podCount }) => podCount)).toEqual([1, 2]);
  });

  it('still finds room for a small class on a node that a large class was refused by', () => {
    const nodes = [cpuNode('n1', 500), cpuNode('n2', 4000)];
    const pods = [cpuPod('large', 1000), cpuPod('small', 100), cpuPod('large-2', 1000)];
    expect(told(packOnNodes(pods, nodes))).toEqual(['large on n2', 'small on n1', 'large-2 on n2']);
  });
});
