import type { SceneObject } from '../scene.ts';
import type { Dice } from './dice.ts';
import type { Mood } from './mood.ts';
import {
  effects,
  hostname,
  nodeKeys,
  nodeValues,
  numbers,
  oldZoneKey,
  regionKey,
  taintKeys,
  taintValues,
  zoneKey,
  zones,
} from './words.ts';

const ownTaints = [
  { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' },
] as const;

const taint = (dice: Dice): { key: string; value?: string; effect: string } =>
  dice.chance(12)
    ? dice.of<(typeof ownTaints)[number]>(ownTaints)
    : { key: dice.of(taintKeys), value: dice.of(taintValues), effect: dice.of(effects) };

const labels = (dice: Dice, name: string): Record<string, string> => ({
  ...Object.fromEntries(
    dice
      .some(nodeKeys, 55)
      .map((key) => [key, key === 'size' ? dice.of(numbers) : dice.of(nodeValues)]),
  ),
  ...(dice.chance(92) ? { [hostname]: dice.chance(97) ? name : 'n0' } : {}),
  ...(dice.chance(85) ? { [zoneKey]: dice.of(zones) } : {}),
  ...(dice.chance(15) ? { [oldZoneKey]: dice.of(zones) } : {}),
  ...(dice.chance(20) ? { [regionKey]: 'us-east-1' } : {}),
});

const extended = (dice: Dice): Record<string, string> => ({
  ...dice.maybe(35, () => ({ 'example.com/device': dice.of(['4', '1', '0', '1k']) })),
  ...dice.maybe(20, () => ({ 'nvidia.com/gpu': dice.of(['8', '1']) })),
  ...dice.maybe(20, () => ({ 'hugepages-2Mi': dice.of(['64Mi', '0']) })),
});

/** Room for all that pods are likely to ask for. */
const plenty = { cpu: '64', memory: '256Gi', pods: '110', 'ephemeral-storage': '100Gi' } as const;

/** Whole cores and their parts, at the edges of the requests in containers.ts. */
const tight = (dice: Dice): Record<string, string> => ({
  cpu: dice.of(['2', '2', '4', '3920m', '1999m', '0', '8']),
  memory: dice.of(['4Gi', '4Gi', '4294967295', '7916Mi', '1e9', '0', '64Mi']),
  ...dice.maybe(90, () => ({ pods: dice.of(['110', '110', '10', '5', '3', '1', '0']) })),
  ...dice.maybe(60, () => ({ 'ephemeral-storage': dice.of(['10Gi', '1Gi', '0']) })),
  ...extended(dice),
});

const features = ['PodLevelResources', 'InPlacePodLevelResourcesVerticalScaling', 'UserNamespaces'];

/** Node number `index`, as its kubelet would have it. */
export const node = (dice: Dice, index: number, mood: Mood): SceneObject => {
  const name = `n${index}`;
  const room = dice.chance(mood.tight) ? tight(dice) : { ...plenty, ...extended(dice) };
  return {
    object: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: labels(dice, name) },
      spec: {
        ...dice.maybe(mood.taints, () => ({
          taints: uniqueTaints(dice.several(1, 3, () => taint(dice))),
        })),
        ...dice.maybe(mood.taints / 5, () => ({ unschedulable: true })),
      },
      ...dice.maybe(97, () => ({
        status: {
          capacity: room,
          allocatable: room,
          ...dice.maybe(20, () => ({ declaredFeatures: dice.some(features, 60).sort() })),
          conditions: [{ type: 'Ready', status: dice.of(['True', 'True', 'True', 'False']) }],
        },
      })),
    },
  };
};

/** The API server refuses two taints of one key and effect. */
const uniqueTaints = <T extends { readonly key: string; readonly effect: string }>(
  taints: readonly T[],
): readonly T[] => [...new Map(taints.map((one) => [`${one.key}:${one.effect}`, one])).values()];
