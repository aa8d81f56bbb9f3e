import { sceneNamespaces } from '../api.ts';
import type { SceneObject } from '../scene.ts';
import { affinity, spread } from './affinity.ts';
import { demands } from './containers.ts';
import type { Dice } from './dice.ts';
import { podLabels } from './selectors.ts';
import { nodeKeys, nodeValues, taintKeys, taintValues, zoneKey, zones } from './words.ts';

const toleration = (dice: Dice) => {
  const operator = dice.of(['Exists', 'Equal', 'Equal', 'Gt', 'Lt', undefined]);
  const effect = dice.of([undefined, 'NoSchedule', 'NoExecute', 'PreferNoSchedule']);
  const common = {
    ...(operator === undefined ? {} : { operator }),
    ...(effect === undefined ? {} : { effect }),
    ...(effect === 'NoExecute'
      ? dice.maybe(30, () => ({ tolerationSeconds: dice.of([0, 300, -1]) }))
      : {}),
  };
  if (operator === 'Exists') {
    return { ...common, ...dice.maybe(75, () => ({ key: dice.of(taintKeys) })) };
  }
  if (operator === 'Gt' || operator === 'Lt') {
    return {
      ...common,
      key: dice.of(taintKeys),
      value: dice.of(['0', '1', '5', '-3', '9223372036854775807']),
    };
  }
  const own = dice.chance(10) ? 'node.kubernetes.io/unschedulable' : dice.of(taintKeys);
  return { ...common, key: own, ...dice.maybe(85, () => ({ value: dice.of(taintValues) })) };
};

const nodeSelector = (dice: Dice): Record<string, string> =>
  dice.chance(50) ? { [zoneKey]: dice.of(zones) } : { [dice.of(nodeKeys)]: dice.of(nodeValues) };

/** Everything of a pod's spec that filters look at, but volumes. */
const spec = (dice: Dice, nodes: number, demanding: boolean): Record<string, unknown> => ({
  ...demands(dice),
  ...dice.maybe(40, () => ({ tolerations: dice.several(1, 3, () => toleration(dice)) })),
  ...(demanding ? dice.maybe(12, () => ({ nodeSelector: nodeSelector(dice) })) : {}),
  ...affinity(
    dice,
    nodes,
    demanding ? { node: 25, pod: 22, anti: 22 } : { node: 3, pod: 3, anti: 12 },
  ),
  ...spread(dice, demanding ? 30 : 3),
  ...dice.maybe(30, () => ({ priority: dice.of([0, 0, 10, 100, -5]) })),
  terminationGracePeriodSeconds: 30,
});

interface PodPlace {
  readonly nodes: number;
  readonly volumes: (dice: Dice) => Record<string, unknown>;
}

const pod = (dice: Dice, name: string, own: Record<string, unknown>): SceneObject => ({
  object: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: dice.of(sceneNamespaces), labels: podLabels(dice) },
    spec: own,
  },
});

/** A Pending pod to be asked about. */
export const askedPod = (dice: Dice, name: string, { nodes, volumes }: PodPlace): SceneObject =>
  pod(dice, name, { ...spec(dice, nodes, true), ...volumes(dice) });

/** A pod on a node, now and then on one that is gone; some have ended, some are being deleted. */
export const boundPod = (dice: Dice, name: string, { nodes, volumes }: PodPlace): SceneObject => {
  const bound = pod(dice, name, {
    ...spec(dice, nodes, false),
    ...volumes(dice),
    nodeName: dice.chance(98) ? `n${dice.between(0, nodes - 1)}` : 'gone',
  });
  const phase = dice.of(['Running', 'Running', 'Pending', 'Succeeded', 'Failed']);
  return {
    ...bound,
    ...(phase === 'Pending' || dice.chance(60) ? {} : { status: { phase } }),
    ...dice.maybe(8, () => ({ leaving: true })),
  };
};
