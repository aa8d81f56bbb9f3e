import type { Dice } from './dice.ts';
import {
  hostname,
  nodeKeys,
  nodeValues,
  numbers,
  podKeys,
  podValues,
  zoneKey,
  zones,
} from './words.ts';

const nodeOperators = ['In', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

/** One requirement on a node's labels. */
const nodeRequirement = (dice: Dice, nodes: number) => {
  const operator = dice.of(nodeOperators);
  const kind = dice.between(1, 6);
  const key = kind === 1 ? zoneKey : kind === 2 ? hostname : dice.of(nodeKeys);
  const value = (): string =>
    key === zoneKey
      ? dice.of(zones)
      : key === hostname
        ? `n${dice.between(0, nodes)}`
        : dice.of(nodeValues);
  if (operator === 'In' || operator === 'NotIn') {
    return { key, operator, values: dice.several(1, 3, value) };
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
  return { key: dice.of(['size', 'size', key]), operator, values: [dice.of(numbers)] };
};

const nameRequirement = (dice: Dice, nodes: number) => ({
  key: 'metadata.name',
  operator: dice.of(['In', 'In', 'NotIn']),
  values: [`n${dice.between(0, nodes)}`],
});

/** One term of node affinity, empty ones and contradictions included; `nodes` is how many there are. */
export const nodeTerm = (dice: Dice, nodes: number) => ({
  ...dice.maybe(85, () => ({
    matchExpressions: dice.several(0, 3, () => nodeRequirement(dice, nodes)),
  })),
  ...dice.maybe(12, () => ({
    matchFields: dice.several(1, 2, () => nameRequirement(dice, nodes)),
  })),
});

export const nodeTerms = (dice: Dice, nodes: number) =>
  dice.several(1, 3, () => nodeTerm(dice, nodes));

export const podLabels = (dice: Dice): Record<string, string> =>
  Object.fromEntries(dice.some(podKeys, 60).map((key) => [key, dice.of(podValues)]));

const labelRequirement = (dice: Dice) => {
  const key = dice.of(podKeys);
  const operator = dice.of(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  return operator === 'In' || operator === 'NotIn'
    ? { key, operator, values: dice.several(1, 2, () => dice.of(podValues)) }
    : { key, operator };
};

/** A label selector; now and then an empty one, which matches everything. */
export const labelSelector = (dice: Dice) => ({
  ...dice.maybe(65, () => ({ matchLabels: { [dice.of(podKeys)]: dice.of(podValues) } })),
  ...dice.maybe(35, () => ({ matchExpressions: dice.several(0, 2, () => labelRequirement(dice)) })),
});
