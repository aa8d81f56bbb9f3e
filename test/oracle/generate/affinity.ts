import { sceneNamespaces } from '../api.ts';
import type { Dice } from './dice.ts';
import { labelSelector, nodeTerm, nodeTerms } from './selectors.ts';
import { podKeys, topologyKeys } from './words.ts';

type Selector = ReturnType<typeof labelSelector>;

/** Keys that the selector does not use; the API server refuses others, and any without a selector. */
const freeKeys = (selector: Selector | undefined): readonly string[] => {
  if (selector === undefined) return [];
  const used = JSON.stringify(selector);
  return podKeys.filter((key) => !used.includes(`"${key}"`));
};

const named = (name: string, keys: readonly string[]): Record<string, readonly string[]> =>
  keys.length === 0 ? {} : { [name]: keys };

/** Both kinds of keys, no key in both. */
const affinityTerm = (dice: Dice) => {
  const selector = dice.chance(93) ? labelSelector(dice) : undefined;
  const free = freeKeys(selector);
  const match = dice.chance(15) ? dice.some(free, 50) : [];
  const mismatch = dice.chance(12) ? dice.some(free, 50) : [];
  return {
    topologyKey: dice.of(topologyKeys),
    ...(selector === undefined ? {} : { labelSelector: selector }),
    ...named('matchLabelKeys', match),
    ...named(
      'mismatchLabelKeys',
      mismatch.filter((key) => !match.includes(key)),
    ),
    ...dice.maybe(25, () => ({ namespaces: dice.several(1, 2, () => dice.of(sceneNamespaces)) })),
    ...dice.maybe(20, () => ({
      namespaceSelector: dice.chance(40)
        ? {}
        : {
            matchLabels: {
              [dice.of(['team', 'kubernetes.io/metadata.name'])]: dice.of(['a', 'b', 'blue']),
            },
          },
    })),
  };
};

const podAffinity = (dice: Dice) => ({
  ...dice.maybe(85, () => ({
    requiredDuringSchedulingIgnoredDuringExecution: dice.several(1, 2, () => affinityTerm(dice)),
  })),
  ...dice.maybe(20, () => ({
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: dice.between(1, 100), podAffinityTerm: affinityTerm(dice) },
    ],
  })),
});

const nodeAffinity = (dice: Dice, nodes: number) => ({
  ...dice.maybe(85, () => ({
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: nodeTerms(dice, nodes) },
  })),
  ...dice.maybe(20, () => ({
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: dice.between(1, 100), preference: nodeTerm(dice, nodes) },
    ],
  })),
});

/** `spec.affinity`, with each part in so many percent. */
export const affinity = (
  dice: Dice,
  nodes: number,
  percent: { readonly node: number; readonly pod: number; readonly anti: number },
): Record<string, unknown> => {
  const parts = {
    ...dice.maybe(percent.node, () => ({ nodeAffinity: nodeAffinity(dice, nodes) })),
    ...dice.maybe(percent.pod, () => ({ podAffinity: podAffinity(dice) })),
    ...dice.maybe(percent.anti, () => ({ podAntiAffinity: podAffinity(dice) })),
  };
  return Object.keys(parts).length === 0 ? {} : { affinity: parts };
};

const isEmpty = (selector: Selector | undefined): boolean =>
  selector !== undefined && podKeys.every((key) => !JSON.stringify(selector).includes(`"${key}"`));

const spreadConstraint = (dice: Dice) => {
  const whenUnsatisfiable = dice.of([
    'DoNotSchedule',
    'DoNotSchedule',
    'DoNotSchedule',
    'ScheduleAnyway',
  ]);
  const selector = dice.chance(93) ? labelSelector(dice) : undefined;
  return {
    topologyKey: dice.of(topologyKeys),
    maxSkew: dice.of([1, 1, 2, 3]),
    whenUnsatisfiable,
    ...(selector === undefined ? {} : { labelSelector: selector }),
    ...named('matchLabelKeys', dice.chance(20) ? dice.some(freeKeys(selector), 50) : []),
    ...(whenUnsatisfiable === 'DoNotSchedule'
      ? dice.maybe(30, () => ({ minDomains: dice.between(1, 5) }))
      : {}),
    ...dice.maybe(35, () => ({ nodeAffinityPolicy: dice.of(['Honor', 'Ignore']) })),
    ...dice.maybe(35, () => ({ nodeTaintsPolicy: dice.of(['Honor', 'Ignore']) })),
  };
};

/**
 * `spec.topologySpreadConstraints`; the API server refuses two of one key and kind. An empty selector counts no
 * pod on a node, but every nominated one: not both are asked about.
 */
export const spread = (
  dice: Dice,
  percent: number,
  { mayBeEmpty }: { readonly mayBeEmpty: boolean },
): Record<string, unknown> => {
  if (!dice.chance(percent)) return {};
  const constraints = dice
    .several(1, 3, () => spreadConstraint(dice))
    .filter((one) => mayBeEmpty || !isEmpty(one.labelSelector));
  if (constraints.length === 0) return {};
  const unique = new Map(
    constraints.map((one) => [`${one.topologyKey} ${one.whenUnsatisfiable}`, one]),
  );
  return { topologySpreadConstraints: [...unique.values()] };
};
