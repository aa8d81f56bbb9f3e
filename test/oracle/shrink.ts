import type { Manifest, Scene, SceneObject } from './scene.ts';

/** Whether the sides still disagree about a scene; asked of the real scheduler. */
export type StillDisagrees = (scene: Scene) => Promise<boolean>;

/** So many scenes are tried at most: each takes the scheduler a part of a second. */
const mostTrials = 250;

/**
 * A smaller scene about which the sides still disagree: first objects are left out, halves of them before
 * single ones, then fields. `pod` is one of the scene's that they disagree about.
 */
export const shrink = async (
  scene: Scene,
  pod: SceneObject,
  disagrees: StillDisagrees,
  trials: number = mostTrials,
): Promise<Scene> => {
  let left = trials;
  const holds = async (candidate: Scene): Promise<boolean> => {
    left -= 1;
    return left >= 0 && (await disagrees(candidate));
  };
  const alone: Scene = { ...scene, asked: [pod] };
  // Asked alone they may agree: then something is wrong with the pods asked before it.
  let smallest = (await holds(alone)) ? alone : scene;
  smallest = {
    ...smallest,
    cluster: await fewer(smallest.cluster, (cluster) => holds({ ...smallest, cluster })),
  };
  for (const [index, object] of smallest.asked.entries()) {
    const asked = (one: SceneObject): readonly SceneObject[] => smallest.asked.with(index, one);
    const one = await barer(object, (candidate) => holds({ ...smallest, asked: asked(candidate) }));
    smallest = { ...smallest, asked: asked(one) };
  }
  for (const [index, object] of smallest.cluster.entries()) {
    const others = (one: SceneObject): readonly SceneObject[] => smallest.cluster.with(index, one);
    const one = await barer(object, (candidate) =>
      holds({ ...smallest, cluster: others(candidate) }),
    );
    smallest = { ...smallest, cluster: others(one) };
  }
  return smallest;
};

/** Leaves out as many of the list as possible, in ever smaller pieces. */
const fewer = async <T>(
  list: readonly T[],
  holds: (candidate: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> => {
  let kept = list;
  for (
    let size = Math.ceil(list.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < kept.length; ) {
      const candidate = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await holds(candidate)) kept = candidate;
      else from += size;
    }
  }
  return kept;
};

/** Leaves out fields and elements of an object, the outer ones first; what names it stays. */
const barer = async (
  object: SceneObject,
  holds: (candidate: SceneObject) => Promise<boolean>,
): Promise<SceneObject> => {
  let kept = object;
  const tried = new Set<string>();
  for (;;) {
    const path = pathsOf(kept).find((one) => !tried.has(one.join('\0')));
    if (path === undefined) return kept;
    const candidate = without(kept, path) as SceneObject;
    if (await holds(candidate)) kept = candidate;
    else tried.add(path.join('\0'));
  }
};

const keeps: ReadonlySet<string> = new Set([
  ...['object', 'apiVersion', 'kind', 'metadata', 'name', 'namespace', 'spec', 'nodeName'],
  ...['containers', 'image'],
]);

const pathsOf = (value: unknown): readonly (readonly string[])[] => {
  const paths: (readonly string[])[] = [];
  let level: (readonly [readonly string[], unknown])[] = [[[], value]];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const [path, one] of level) {
      if (typeof one !== 'object' || one === null) continue;
      for (const [key, inner] of Object.entries(one)) {
        const at = [...path, key];
        if (!keeps.has(key)) paths.push(at);
        next.push([at, inner]);
      }
    }
    level = next;
  }
  return paths;
};

const without = (value: unknown, [first = '', ...rest]: readonly string[]): unknown => {
  if (Array.isArray(value)) {
    const index = Number(first);
    return rest.length === 0
      ? value.toSpliced(index, 1)
      : value.with(index, without(value[index], rest));
  }
  const { [first]: inner, ...others } = value as Manifest;
  return rest.length === 0 ? others : { ...(value as Manifest), [first]: without(inner, rest) };
};
