import { sceneNamespaces } from '../api.ts';
import type { SceneObject } from '../scene.ts';
import { affinity, spread } from './affinity.ts';
import { demands } from './containers.ts';
import type { Dice } from './dice.ts';
import type { Mood } from './mood.ts';
import { type ContainerNames, podStatus } from './pod-status.ts';
import { podVolumes } from './pod-volumes.ts';
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

/** Everything of a pod's spec that filters look at, but volumes. Pods on nodes need not have found them fit. */
const spec = (
  dice: Dice,
  { nodes, mood, nominations }: PodPlace,
  bound: boolean,
): ContainerNames & Record<string, unknown> => ({
  ...demands(dice, mood),
  ...dice.maybe(mood.taints, () => ({ tolerations: dice.several(1, 3, () => toleration(dice)) })),
  ...(bound ? {} : dice.maybe(mood.selectors / 2, () => ({ nodeSelector: nodeSelector(dice) }))),
  ...affinity(dice, nodes, {
    node: bound ? 3 : mood.selectors,
    pod: bound ? 3 : mood.affinity,
    anti: bound ? mood.affinity / 4 : mood.affinity,
  }),
  ...spread(dice, bound ? 3 : mood.spread, { mayBeEmpty: !nominations }),
  ...dice.maybe(30, () => ({ priority: dice.of([0, 0, 10, 100, -5]) })),
  terminationGracePeriodSeconds: 30,
});

interface PodPlace {
  readonly nodes: number;
  readonly mood: Mood;
  /** Some pods of the scene are nominated. */
  readonly nominations: boolean;
}

/** A pod with its volumes; `own` is the rest of its spec. */
const pod = (
  dice: Dice,
  name: string,
  { own, volumes }: { readonly own: Record<string, unknown>; readonly volumes: number },
): SceneObject => {
  const { fields, claims } = podVolumes(dice, name, volumes);
  return {
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: dice.of(sceneNamespaces), labels: podLabels(dice) },
      spec: { ...own, ...fields },
    },
    ...(claims.length === 0 ? {} : { claims }),
  };
};

/** A Pending pod to be asked about. */
export const askedPod = (dice: Dice, name: string, place: PodPlace): SceneObject =>
  pod(dice, name, { own: spec(dice, place, false), volumes: place.mood.volumes });

/** A pod on a node, now and then on one that is gone; some have ended, some are being deleted. */
export const boundPod = (dice: Dice, name: string, place: PodPlace): SceneObject => {
  const nodeName = dice.chance(98) ? `n${dice.between(0, place.nodes - 1)}` : 'gone';
  const own = { ...spec(dice, place, true), nodeName };
  const bound = pod(dice, name, { own, volumes: place.mood.volumes });
  return {
    ...bound,
    ...podStatus(dice, own),
    ...dice.maybe(8, () => ({ leaving: true })),
  };
};

/**
 * A Pending pod that waits on a node for which it is nominated: pods of no higher priority must fit beside it, and
 * without it too.
 */
export const nominatedPod = (dice: Dice, name: string, place: PodPlace): SceneObject => {
  const own = { ...spec(dice, place, true), priority: dice.of([0, 10, 100]) };
  return {
    ...pod(dice, name, { own, volumes: 0 }),
    status: { nominatedNodeName: `n${dice.between(0, place.nodes - 1)}` },
  };
};
