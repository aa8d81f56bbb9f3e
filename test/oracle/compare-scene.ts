import { setTimeout as sleep } from 'node:timers/promises';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import { podKey } from '#cluster/snapshot.ts';
import { clear, putAll, type Refusal, readAll, sceneNamespaces } from './api.ts';
import { type Engine, engineFor } from './ask-engine.ts';
import { type Answers, askScheduler } from './ask-scheduler.ts';
import type { OracleCluster } from './oracle-cluster.ts';
import { nameOf, type Scene, type SceneObject } from './scene.ts';
import { differences, type Verdict } from './verdict.ts';

/** A pod about which scheduler and engine do not agree. */
export interface Disagreement {
  readonly pod: SceneObject;
  readonly scheduler: Verdict;
  readonly engine: Verdict;
  readonly differences: readonly string[];
}

export interface SceneResult {
  /** Pods that were answered, times nodes. */
  readonly cases: number;
  readonly pods: number;
  readonly passed: number;
  readonly disagreements: readonly Disagreement[];
  /** Objects that the API server called invalid; they are part of neither answer. */
  readonly refusals: readonly Refusal[];
  /** How many nodes were refused for each reason, over all pods. */
  readonly reasons: Readonly<Record<string, number>>;
}

/**
 * The scheduler's caches follow the API server by some milliseconds, and nothing tells when they have
 * caught up. So a disagreement counts only if it is still there when the pod is asked about again.
 */
export const patient = [100, 400, 1_500] as const;

/** For the many trials of making a scene smaller. */
export const hasty = [60, 300] as const;

export interface Judging {
  /** Before a pod is asked about, and again: milliseconds. */
  readonly pauses?: readonly number[];
  /** Another one than the product's: to see that its faults are found. */
  readonly engine?: Engine;
}

/** Asks both about every pod of the scene. What the cluster held before is deleted first. */
export const compareScene = async (
  cluster: OracleCluster,
  { cluster: objects, asked }: Scene,
  { pauses = patient, engine = engineFor }: Judging = {},
): Promise<SceneResult> => {
  await clear(cluster.admin);
  cluster.extender.forget();
  const pods = objects.filter(({ object }) => object.kind === 'Pod');
  const others = objects.filter(({ object }) => !['Pod', 'Namespace'].includes(object.kind));
  const refusals = [
    ...(await putAll(cluster.admin, namespacesOf(objects))),
    ...(await putAll(cluster.admin, others)),
    ...(await putAll(cluster.admin, pods.filter(hasEnded))),
    ...(await putAll(
      cluster.admin,
      pods.filter((pod) => !hasEnded(pod)),
    )),
  ];
  let left = asked;
  let disagreements: readonly Disagreement[] = [];
  let first: Answers | undefined;
  for (const pause of pauses) {
    await sleep(pause);
    if (first !== undefined) await remove(cluster, left);
    const answers = await askScheduler(cluster, left);
    first ??= answers;
    disagreements = await compare(cluster, left, { answers, engine });
    if (disagreements.length === 0) break;
    left = disagreements.map(({ pod }) => pod);
  }
  return { ...tally(first), disagreements, refusals: [...refusals, ...(first?.refusals ?? [])] };
};

/**
 * Such pods come first. The scheduler keeps a node's host ports as a set: of two pods with one port, the first to
 * end takes it away from both, so that its answer would depend on who came first.
 */
const hasEnded = ({ status }: SceneObject): boolean => {
  const phase = (status as { readonly phase?: string } | undefined)?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
};

/** Every namespace, whether the scene gives it labels or not. */
const namespacesOf = (objects: readonly SceneObject[]): readonly SceneObject[] =>
  sceneNamespaces.map(
    (name) =>
      objects.find(
        ({ object }) => object.kind === 'Namespace' && object.metadata.name === name,
      ) ?? {
        object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      },
  );

const remove = (cluster: OracleCluster, pods: readonly SceneObject[]): Promise<unknown> =>
  Promise.all(
    pods.map(({ object }) =>
      cluster.admin.remove(
        `/api/v1/namespaces/${object.metadata.namespace}/pods/${object.metadata.name}`,
        { graceSeconds: 0 },
      ),
    ),
  );

/** The engine is given what the API server holds, by the product's own readers. */
const compare = async (
  cluster: OracleCluster,
  asked: readonly SceneObject[],
  { answers, engine }: { readonly answers: Answers; readonly engine: Engine },
): Promise<readonly Disagreement[]> => {
  const { snapshot, problems } = readClusterObjects(await readAll(cluster.admin));
  if (problems.length > 0) {
    throw new Error(`what the API server holds cannot be read: ${JSON.stringify(problems[0])}`);
  }
  const names = new Set(asked.map(nameOf));
  const there = snapshot.pods.filter((pod) => !names.has(podKey(pod)));
  const views = new Map(snapshot.pods.map((pod) => [podKey(pod), pod]));
  const ask = engine(snapshot, there);
  return asked.flatMap((pod) => {
    const scheduler = answers.verdicts.get(nameOf(pod));
    const view = views.get(nameOf(pod));
    if (scheduler === undefined || view === undefined) return [];
    const ours = ask(view);
    const found = differences(scheduler, ours);
    return found.length === 0 ? [] : [{ pod, scheduler, engine: ours, differences: found }];
  });
};

const tally = (
  answers: Answers | undefined,
): Pick<SceneResult, 'cases' | 'pods' | 'passed' | 'reasons'> => {
  const reasons: Record<string, number> = {};
  let [cases, passed] = [0, 0];
  for (const verdict of answers?.verdicts.values() ?? []) {
    cases += verdict.nodes;
    passed += verdict.passed.length;
    if (verdict.rejected !== undefined) {
      reasons[verdict.rejected] = (reasons[verdict.rejected] ?? 0) + verdict.nodes;
    }
    for (const [reason, count] of Object.entries(verdict.reasons)) {
      reasons[reason] = (reasons[reason] ?? 0) + count;
    }
  }
  return { cases, pods: answers?.verdicts.size ?? 0, passed, reasons };
};
