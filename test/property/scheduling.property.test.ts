import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostPort, NodeSelectorTerm, Taint, Toleration } from '#cluster/constraints.ts';
import type { NodeView, PodView } from '#cluster/snapshot.ts';
import { explainFit, fits } from '#scheduling/fit.ts';
import { placePod, schedulingNode } from '#scheduling/node.ts';
import { packOnNodes } from '#scheduling/pack.ts';
import { schedulingKey } from '#scheduling/scheduling-key.ts';
import { buildNode, buildPod } from '../helpers/cluster-builders.ts';

/* Few keys and values, so that matches, misses and collisions are all common. */

const key = fc.constantFrom('a', 'b');
const value = fc.constantFrom('', '1', '2', 'x');
const effect = fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule');
const amount = fc.oneof(
  fc.integer({ min: 0, max: 6 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1),
);
const resourceNames = ['cpu', 'memory', 'example.com/thing'] as const;
const resources = fc.dictionary(fc.constantFrom(...resourceNames), amount, {
  noNullPrototype: true,
});
const labels = fc.dictionary(key, value, { noNullPrototype: true });

const taint: fc.Arbitrary<Taint> = fc.record({ key, value, effect });
const toleration: fc.Arbitrary<Toleration> = fc.record(
  { key, operator: fc.constantFrom('Exists', 'Equal', 'Gt', 'Lt'), value, effect },
  { requiredKeys: ['operator'] },
);
const requirement = fc.record({
  key,
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  values: fc.array(value, { maxLength: 2 }),
});
const term: fc.Arbitrary<NodeSelectorTerm> = fc.record({
  matchExpressions: fc.array(requirement, { maxLength: 2 }),
  matchFields: fc.constant([]),
});
const hostPort: fc.Arbitrary<HostPort> = fc.record({
  protocol: fc.constantFrom('TCP', 'UDP'),
  hostIp: fc.constantFrom('0.0.0.0', '10.0.0.1', '10.0.0.2'),
  port: fc.constantFrom(80, 81),
});

const nodeView: fc.Arbitrary<NodeView> = fc
  .record({
    labels,
    taints: fc.array(taint, { maxLength: 1 }),
    unschedulable: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
    allocatable: fc.tuple(resources, fc.integer({ min: 0, max: 4 })).map(([amounts, pods]) => ({
      ...amounts,
      pods,
    })),
  })
  .map((given) => buildNode('n', given));

const podView: fc.Arbitrary<PodView> = fc
  .record(
    {
      requests: resources,
      nodeSelector: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: labels },
      ),
      requiredNodeAffinity: fc.array(term, { maxLength: 2 }),
      tolerations: fc.array(toleration, { maxLength: 2 }),
      hostPorts: fc.array(hostPort, { maxLength: 1 }),
      priority: fc.integer({ min: -1, max: 1 }),
      createdAtMs: fc.integer({ min: 0, max: 3 }),
    },
    { requiredKeys: ['requests', 'nodeSelector', 'tolerations', 'hostPorts'] },
  )
  .map((given) => buildPod('p', given));

const pods = fc
  .array(podView, { maxLength: 12 })
  .map((list) => list.map((pod, index) => ({ ...pod, name: `p${index}` })));
const nodes = fc
  .array(nodeView, { maxLength: 4 })
  .map((list) => list.map((node, index) => ({ ...node, name: `n${index}` })));

/** The resource rule in bigint, as NodeResourcesFit states it. */
function hasRoom(pod: PodView, node: NodeView, there: readonly PodView[]): boolean {
  const sum = (name: string) =>
    there.reduce((total, one) => total + BigInt(one.requests[name] ?? 0), 0n);
  if (there.length + 1 > (node.allocatable.pods ?? 0)) return false;
  return resourceNames.every((name) => {
    const wanted = BigInt(pod.requests[name] ?? 0);
    return wanted === 0n || wanted + sum(name) <= BigInt(node.allocatable[name] ?? 0);
  });
}

describe('fits and explainFit', () => {
  it('always agree', () => {
    fc.assert(
      fc.property(podView, nodeView, fc.array(podView, { maxLength: 2 }), (pod, view, there) => {
        const node = schedulingNode(view);
        for (const one of there) placePod(one, node);
        expect(explainFit(pod, node).length === 0).toBe(fits(pod, node));
      }),
      { numRuns: 3000 },
    );
  });

  it('judge resources as plain bigint arithmetic does', () => {
    fc.assert(
      fc.property(podView, nodeView, fc.array(podView, { maxLength: 3 }), (pod, view, there) => {
        const node = schedulingNode(view);
        for (const one of there) placePod(one, node);
        const codes = explainFit(pod, node).map(({ code }) => code);
        const refused = codes.includes('insufficientResource') || codes.includes('tooManyPods');
        expect(refused).toBe(!hasRoom(pod, view, there));
      }),
      { numRuns: 3000 },
    );
  });

  it('answer alike for pods with the same scheduling key', () => {
    fc.assert(
      fc.property(podView, podView, nodeView, (a, b, view) => {
        const twin = buildPod('twin', structuredClone({ ...a, name: 'twin', priority: 9 }));
        const node = schedulingNode(view);
        expect(schedulingKey(twin)).toBe(schedulingKey(a));
        if (schedulingKey(a) === schedulingKey(b)) {
          expect(explainFit(a, node)).toEqual(explainFit(b, node));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('packing', () => {
  it('never overcommits a node, and places every pod where it was allowed at that moment', () => {
    fc.assert(
      fc.property(pods, nodes, (pending, views) => {
        const { placed, unplaced } = packOnNodes(pending, views.map(schedulingNode));
        expect(placed.length + unplaced.length).toBe(pending.length);
        const there = new Map(views.map((view) => [view.name, [] as PodView[]]));
        for (const { pod, node } of placed) {
          const view = views.find(({ name }) => name === node.name);
          const before = there.get(node.name);
          if (!view || !before) throw new Error('placed on an unknown node');
          expect(hasRoom(pod, view, before)).toBe(true);
          const replay = schedulingNode(view);
          for (const one of before) placePod(one, replay);
          expect(explainFit(pod, replay)).toEqual([]);
          before.push(pod);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is first fit: as trying every node for every pod would place them', () => {
    fc.assert(
      fc.property(pods, nodes, (pending, views) => {
        const slow = views.map(schedulingNode);
        const expected = pending.map((pod) => {
          const node = slow.find((one) => explainFit(pod, one).length === 0);
          if (node) placePod(pod, node);
          return node?.name;
        });
        const { placed } = packOnNodes(pending, views.map(schedulingNode));
        const found = new Map(placed.map(({ pod, node }) => [pod.name, node.name]));
        expect(pending.map((pod) => found.get(pod.name))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
