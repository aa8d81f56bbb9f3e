import { type Engine, engineFor } from './ask-engine.ts';
import { compareScene, type Disagreement, hasty, type SceneResult } from './compare-scene.ts';
import { keepScene } from './kept-scenes.ts';
import type { OracleCluster } from './oracle-cluster.ts';
import { nameOf, type Scene, type SceneObject } from './scene.ts';
import { shrink } from './shrink.ts';

/** A scene about which the sides disagree, as small as it could be made. */
export interface Finding {
  readonly scene: Scene;
  readonly disagreement: Disagreement;
  /** Where it was written to. */
  readonly file?: string;
}

export interface OracleReport {
  /** One pod on one node each. */
  readonly cases: number;
  readonly scenes: number;
  readonly pods: number;
  /** Cases in which the pod may run on the node. */
  readonly passed: number;
  /** Pods about which the sides disagree. */
  readonly disagreements: number;
  readonly findings: readonly Finding[];
  /** Objects that the API server called invalid, by its words without names. */
  readonly refusals: Readonly<Record<string, number>>;
  /** In how many cases each reason was given. */
  readonly reasons: Readonly<Record<string, number>>;
}

export interface OracleQuestion {
  /** Played in turn until there are enough cases. */
  readonly scenes: Iterable<Scene>;
  readonly cases: number;
  /** Where findings are written to. */
  readonly keep?: string;
  readonly engine?: Engine;
  /** So many disagreements are made small; the others are counted. Default: 5. */
  readonly most?: number;
  readonly progress: (line: string) => void;
}

/** Plays scenes on the cluster, and makes what both sides disagree about small. */
export const askOracle = async (
  cluster: OracleCluster,
  { scenes, cases, keep, engine = engineFor, most = 5, progress }: OracleQuestion,
): Promise<OracleReport> => {
  const results: SceneResult[] = [];
  const findings: Finding[] = [];
  let asked = 0;
  for (const scene of scenes) {
    if (asked >= cases) break;
    const result = await compareScene(cluster, scene, { engine });
    results.push(result);
    asked += result.cases;
    if (result.cases === 0)
      throw new Error(`${scene.name}: nothing could be asked; every pod or node was refused`);
    const [first] = result.disagreements;
    if (first !== undefined && findings.length < most) {
      progress(`${scene.name}: ${first.differences[0]}; making it smaller`);
      findings.push(
        await findingOf(cluster, withoutRefused(scene, result), { first, keep, engine }),
      );
    }
    if (results.length % 25 === 0) progress(`${asked} cases in ${results.length} scenes`);
  }
  const sum = (count: (result: SceneResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    cases: asked,
    scenes: results.length,
    pods: sum(({ pods }) => pods),
    passed: sum(({ passed }) => passed),
    disagreements: sum(({ disagreements }) => disagreements.length),
    findings,
    refusals: joined(results.flatMap(({ refusals }) => refusals.map(({ why }) => [bare(why), 1]))),
    reasons: joined(results.flatMap(({ reasons }) => Object.entries(reasons))),
  };
};

interface FirstFinding {
  readonly first: Disagreement;
  readonly keep: string | undefined;
  readonly engine: Engine;
}

const findingOf = async (
  cluster: OracleCluster,
  scene: Scene,
  { first, keep, engine }: FirstFinding,
): Promise<Finding> => {
  let last: Disagreement = first;
  const small = await shrink(scene, first.pod, async (candidate) => {
    const { disagreements, refusals } = await compareScene(cluster, candidate, {
      pauses: hasty,
      engine,
    });
    if (refusals.length > 0) return false;
    last = disagreements[0] ?? last;
    return disagreements.length > 0;
  });
  const [found = last] = (await compareScene(cluster, small, { engine })).disagreements;
  const scheduler = { [nameOf(found.pod)]: found.scheduler };
  return {
    scene: small,
    disagreement: found,
    ...(keep === undefined ? {} : { file: keepScene(keep, { ...small, scheduler }) }),
  };
};

const withoutRefused = (scene: Scene, { refusals }: SceneResult): Scene => {
  const refused = new Set(refusals.map(({ object }) => object));
  const taken = ({ object }: SceneObject): boolean => !refused.has(object);
  return { ...scene, cluster: scene.cluster.filter(taken), asked: scene.asked.filter(taken) };
};

const joined = (counts: readonly (readonly [string, number])[]): Record<string, number> => {
  const all: Record<string, number> = {};
  for (const [name, count] of counts) all[name] = (all[name] ?? 0) + count;
  return all;
};

/** The same fault of several objects in the same words. */
const bare = (why: string): string =>
  why
    .replace(/"[^"]*"/g, '…')
    .replace(/\d+/g, 'N')
    .slice(0, 200);
