import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import { podKey } from '#cluster/snapshot.ts';
import { type Engine, engineFor } from './ask-engine.ts';
import { type Manifest, nameOf, type Scene, type SceneObject } from './scene.ts';
import type { Verdict } from './verdict.ts';

/** What the engine says of each asked pod, by name, from the manifests alone: no API server filled them in. */
export const engineVerdicts = (
  scene: Scene,
  engine: Engine = engineFor,
): Readonly<Record<string, Verdict>> => {
  const objects = [...scene.cluster, ...scene.asked].flatMap(asStored);
  const { snapshot, problems } = readClusterObjects(objects.map((object) => ({ object })));
  if (problems.length > 0) throw new Error(`${scene.name}: ${JSON.stringify(problems[0])}`);
  const asked = new Set(scene.asked.map(nameOf));
  const ask = engine(
    snapshot,
    snapshot.pods.filter((pod) => !asked.has(podKey(pod))),
  );
  return Object.fromEntries(
    snapshot.pods.filter((pod) => asked.has(podKey(pod))).map((pod) => [podKey(pod), ask(pod)]),
  );
};

const asStored = (scene: SceneObject): readonly Manifest[] => {
  const { object, status, leaving, claims = [] } = scene;
  const uid = `uid-of-${object.kind}-${nameOf(scene)}`;
  const metadata = {
    ...object.metadata,
    uid,
    ...(leaving === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
  };
  const owner = {
    apiVersion: 'v1',
    kind: 'Pod',
    name: object.metadata.name,
    uid,
    controller: true,
  };
  const stored = { ...object, metadata, ...(status === undefined ? {} : { status }) };
  return [
    stored,
    ...claims.map((claim) => ({
      ...claim,
      metadata: {
        ...claim.metadata,
        namespace: object.metadata.namespace ?? 'default',
        ownerReferences: [owner],
      },
    })),
  ];
};
