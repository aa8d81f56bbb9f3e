import { describe, expect, it } from 'vitest';
import { type SchedulingNode, schedulingNode } from '#scheduling/node.ts';
import { packOnNodes, packOnTemplate } from '#scheduling/pack.ts';
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

describe('packOnTemplate', () => {
  it('opens as many nodes as needed and leaves the template as it was', () => {
    const template = cpuNode('group', 1000);
    const pods = Array.from({ length: 5 }, (_, index) => cpuPod(`p${index}`, 500));
    const packing = packOnTemplate(pods, { template, maxNodes: 10 });
    expect(told(packing)).toEqual([
      'p0 on group/0',
      'p1 on group/0',
      'p2 on group/1',
      'p3 on group/1',
      'p4 on group/2',
    ]);
    expect(packing.nodes).toHaveLength(3);
    expect(template.podCount).toBe(0);
  });

  it('stops at the most nodes allowed', () => {
    const pods = [cpuPod('a', 1000), cpuPod('b', 1000), cpuPod('c', 1000)];
    const packing = packOnTemplate(pods, { template: cpuNode('g', 1000), maxNodes: 2 });
    expect(packing.nodes).toHaveLength(2);
    expect(packing.unplaced.map(({ name }) => name)).toEqual(['c']);
  });

  it('opens no node for a pod that an empty one cannot take, and goes on with the others', () => {
    const pods = [cpuPod('huge', 9000), cpuPod('fine', 900), cpuPod('huge-2', 9000)];
    const packing = packOnTemplate(pods, { template: cpuNode('g', 1000), maxNodes: 5 });
    expect(told(packing)).toEqual(['fine on g/0']);
    expect(packing.nodes).toHaveLength(1);
    expect(packing.unplaced.map(({ name }) => name)).toEqual(['huge', 'huge-2']);
  });

  it('counts what stands on the template, and names nodes as asked', () => {
    const template = cpuNode('g', 1000);
    packOnNodes([cpuPod('daemon', 600)], [template]);
    const pods = [cpuPod('a', 400), cpuPod('b', 400)];
    const nameOf = (index: number) => `new-${index + 1}`;
    expect(told(packOnTemplate(pods, { template, maxNodes: 5, nameOf }))).toEqual([
      'a on new-1',
      'b on new-2',
    ]);
  });
});
