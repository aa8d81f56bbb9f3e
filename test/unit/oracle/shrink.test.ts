import { describe, expect, it } from 'vitest';
import { randomScene } from '../../oracle/generate/random-scene.ts';
import type { Scene, SceneObject } from '../../oracle/scene.ts';
import { shrink } from '../../oracle/shrink.ts';

const object = (kind: string, name: string, more: object = {}): SceneObject => ({
  object: { apiVersion: 'v1', kind, metadata: { name }, ...more },
});

const scene: Scene = {
  name: 'made up',
  cluster: Array.from({ length: 40 }, (_, index) =>
    object('Node', `n${index}`, { spec: { unschedulable: true, taints: [{ key: 'a' }] } }),
  ),
  asked: [object('Pod', 'p0'), object('Pod', 'p1', { spec: { priority: 1, tolerations: [{}] } })],
};

const specOf = (one: SceneObject | undefined) =>
  one?.object.spec as { readonly unschedulable?: boolean; readonly tolerations?: unknown[] };

describe('making a scene smaller', () => {
  it('keeps the pod, the objects and the fields that the disagreement needs, and nothing else', async () => {
    const [, pod] = scene.asked;
    if (pod === undefined) throw new Error('no pod');
    const needs = async (candidate: Scene): Promise<boolean> =>
      candidate.cluster.some(
        (one) => one.object.metadata.name === 'n17' && specOf(one)?.unschedulable === true,
      ) &&
      candidate.asked.some(
        (one) => one.object.metadata.name === 'p1' && specOf(one)?.tolerations !== undefined,
      );
    const small = await shrink(scene, pod, needs);
    expect(small.cluster).toEqual([object('Node', 'n17', { spec: { unschedulable: true } })]);
    expect(small.asked).toEqual([object('Pod', 'p1', { spec: { tolerations: [] } })]);
  });

  it('keeps every pod where one alone is not enough', async () => {
    const [pod] = scene.asked;
    if (pod === undefined) throw new Error('no pod');
    const small = await shrink(scene, pod, async ({ asked }) => asked.length === 2);
    expect(small.asked).toHaveLength(2);
    expect(small.cluster).toEqual([]);
  });
});

describe('drawing scenes', () => {
  it('gives the same scene for a seed and number for ever, and others for others', () => {
    expect(randomScene(7, 3)).toEqual(randomScene(7, 3));
    expect(randomScene(7, 3)).not.toEqual(randomScene(8, 3));
    expect(randomScene(7, 3).cluster).not.toEqual(randomScene(7, 4).cluster);
  });
});
