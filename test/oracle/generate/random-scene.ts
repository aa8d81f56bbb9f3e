import { sceneNamespaces } from '../api.ts';
import type { Scene, SceneObject } from '../scene.ts';
import { type Dice, diceOf } from './dice.ts';
import { moodOf } from './mood.ts';
import { node } from './nodes.ts';
import { askedPod, boundPod, nominatedPod } from './pods.ts';
import { storage } from './storage.ts';

/** Of most scenes: 50 nodes and 80 pods. */
const large = { nodes: 50, asked: 80 } as const;

const namespaces = (dice: Dice): readonly SceneObject[] =>
  sceneNamespaces.map((name) => ({
    object: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { ...dice.maybe(70, () => ({ team: dice.of(['a', 'b']) })) } },
    },
  }));

/**
 * Scene number `index` of a seed. One in eight has a single node, so that the reasons are known for each pod
 * and node; one in eight has a few, where domains are missing; the others are large, for many verdicts.
 */
export const randomScene = (seed: number, index: number): Scene => {
  const dice = diceOf(seed, `oracle/${index}`);
  const nodes = index % 8 === 0 ? 1 : index % 8 === 1 ? dice.between(2, 6) : large.nodes;
  const mood = moodOf(dice);
  const bound = dice.between(0, nodes * 3);
  const nominated = dice.chance(20) ? dice.between(1, Math.min(nodes, 8)) : 0;
  const place = { nodes, mood, nominations: nominated > 0 };
  return {
    name: `seed ${seed}, scene ${index}`,
    cluster: [
      ...namespaces(dice),
      ...Array.from({ length: nodes }, (_, number) => node(dice, number, mood)),
      ...(mood.volumes > 0 ? storage(dice, nodes) : []),
      ...Array.from({ length: bound }, (_, number) => boundPod(dice, `b${number}`, place)),
      ...Array.from({ length: nominated }, (_, number) => nominatedPod(dice, `m${number}`, place)),
    ],
    asked: Array.from({ length: large.asked }, (_, number) => askedPod(dice, `p${number}`, place)),
  };
};

/** All scenes of a seed, without end. */
export function* randomScenes(seed: number): Generator<Scene> {
  for (let index = 0; ; index += 1) yield randomScene(seed, index);
}
