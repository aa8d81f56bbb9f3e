import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterKinds } from '#cluster/cluster-kinds.ts';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { SnapshotKind } from '#cluster/snapshot.ts';

/** JSON that is a Kubernetes object here and there: real field names with anything in them. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 7, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 7, -1, 0.5, 1e300, '', 'x', 'Exists', '1Gi', '1.5.Gi'),
    fc.string(),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ...['spec', 'status', 'metadata', 'name', 'namespace', 'labels', 'containers', 'items'],
        ...['initContainers', 'resources', 'requests', 'limits', 'cpu', 'memory', 'overhead'],
        ...['tolerations', 'operator', 'effect', 'affinity', 'nodeAffinity', 'podAffinity'],
        ...['requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms', 'template'],
        ...['matchExpressions', 'conditions', 'type', 'containerStatuses', 'allocatable'],
        ...['taints', 'ports', 'hostPort', 'creationTimestamp', '__proto__', 'constructor'],
        ...['topologySpreadConstraints', 'labelSelector', 'matchLabels', 'matchLabelKeys', 'key'],
        ...['podAffinityTerm', 'topologyKey', 'namespaceSelector', 'volumes', 'ephemeral', 'rbd'],
        ...['persistentVolumeClaim', 'awsElasticBlockStore', 'volumeID', 'accessModes', 'required'],
        ...['selector', 'drivers', 'allowedTopologies', 'annotations', 'ownerReferences', 'csi'],
        ...['nodeName', 'values', 'storage', 'capacity', 'claimRef', 'allocatedResources'],
      ),
      tie('json'),
      { maxKeys: 5 },
    ),
  ),
}));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const lists = Object.keys(clusterKinds) as SnapshotKind[];
const kinds = Object.values(clusterKinds).map(({ kind }) => kind);

const kinded = fc
  .tuple(fc.constantFrom(...kinds, 'List', 'PodList', ''), json, json, json)
  .map(([kind, metadata, spec, status]) => plain({ kind, metadata, spec, status, items: status }));

const named = fc
  .tuple(fc.constantFrom(...kinds), fc.integer({ min: 0, max: 99 }), json)
  .map(([kind, name, spec]) => plain({ kind, metadata: { name: `x${name}` }, spec, status: spec }));

describe('readClusterObjects', () => {
  it('never throws, tells every object it leaves out, and gives plain JSON data', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.jsonValue(), json.map(plain), kinded, named), { maxLength: 4 }),
        (objects) => {
          const reading = readClusterObjects(objects.map((object) => ({ object, file: 'f' })));
          expect(JSON.parse(JSON.stringify(reading))).toEqual(reading);
          for (const { code, message, file } of reading.problems) {
            expect(code).toMatch(/^[a-z][A-Za-z]+$/);
            expect(message.length).toBeGreaterThan(20);
            expect(file).toBe('f');
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('keeps or names each object, and both only of pods on a node', () => {
    fc.assert(
      fc.property(fc.uniqueArray(named, { selector: nameOf, maxLength: 5 }), (objects) => {
        const { snapshot, problems } = readClusterObjects(objects.map((object) => ({ object })));
        const kept = lists.flatMap((list) => {
          const { plural, namespaced } = clusterKinds[list];
          const path = (name: string) => `${plural}[${namespaced ? 'default/' : ''}${name}]`;
          return (snapshot[list] ?? []).map(({ name }) => path(name));
        });
        const left = problems
          .filter(({ message }) => message.endsWith(' is left out.'))
          .map(({ field = '' }) => field.slice(0, field.indexOf(']') + 1));
        expect(kept.filter((path) => left.includes(path))).toEqual([]);
        expect(kept.length + new Set(left).size).toBe(objects.length);
        const fields = problems.map(({ field }) => field);
        expect(new Set(fields).size).toBe(fields.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same whatever the order of the input', () => {
    const shuffled = fc
      .uniqueArray(named, { selector: nameOf, maxLength: 6 })
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([original, shuffle]) => {
        const read = (objects: readonly unknown[]) =>
          JSON.stringify(readClusterObjects(objects.map((object) => ({ object }))));
        expect(read(shuffle)).toBe(read(original));
      }),
      { numRuns: 500 },
    );
  });
});

function nameOf(object: unknown): string {
  const { kind, metadata } = object as { kind: string; metadata: { name: string } };
  return `${kind}/${metadata.name}`;
}
