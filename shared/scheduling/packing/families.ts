import { compareText } from '#cluster/order.ts';
import { amountIn } from '#cluster/resources.ts';
import type { NodeTemplate } from '../node.ts';
import { hostnameLabel } from '../state/node-list.ts';
import { sortedBy } from './canonical.ts';
import type { Nature } from './natures.ts';
import { type Choice, createPricing, type Pricing } from './pricing.ts';
import type { Counting } from './queries.ts';
import type { PackingQuestion } from './question.ts';

/** Nodes that no pod tells apart but by room and name. */
export interface Family {
  /** Without bounds, since room is counted by the packing. */
  readonly template: NodeTemplate;
  readonly pricing: Pricing;
  readonly existing: boolean;
  /** By nature: whether a node of the family can be for it at all. Existing nodes are asked one by one. */
  readonly suits: readonly boolean[];
}

/** Node labels that pods look at; all of them where volumes may name any. */
export type LabelsUsed = readonly string[] | 'all';

export function labelsUsedBy(
  natures: readonly Nature[],
  countings: readonly Counting[],
): LabelsUsed {
  if (natures.some(({ pod }) => (pod.volumes?.length ?? 0) > 0)) return 'all';
  const keys = new Set<string>();
  for (const { topologyKey } of countings) keys.add(topologyKey);
  for (const { pod } of natures) {
    for (const key of Object.keys(pod.nodeSelector)) keys.add(key);
    for (const { matchExpressions } of pod.requiredNodeAffinity ?? []) {
      for (const { key } of matchExpressions) keys.add(key);
    }
    for (const { topologyKey } of pod.topologySpread ?? []) keys.add(topologyKey);
  }
  return [...keys].sort();
}

/** What pods can tell of a node besides its room and its name. */
export const looksOf = (template: NodeTemplate, used: LabelsUsed): string => {
  const { labels, taints, unschedulable } = template;
  const keys = used === 'all' ? Object.keys(labels).sort() : used;
  return JSON.stringify([
    keys.filter((key) => key !== hostnameLabel).map((key) => [key, labels[key] ?? null]),
    taints,
    unschedulable,
  ]);
};

interface Offered {
  readonly template: NodeTemplate;
  readonly choice: Choice;
  /** By nature. */
  readonly accepted: readonly boolean[];
}

export interface FamiliesInput extends Pick<PackingQuestion, 'offers' | 'state'> {
  readonly natures: readonly Nature[];
  readonly resources: readonly string[];
  readonly labelsUsed: LabelsUsed;
}

/** The positions of natures that are not accepted. */
const textOfRefused = (accepted: readonly boolean[]): string =>
  accepted.flatMap((is, nature) => (is ? [] : [nature])).join();

/** By what tells offers apart soonest; labels are compared only where nothing else does. */
const inOrder = (a: Offered, b: Offered): number =>
  a.choice.price - b.choice.price ||
  byAmounts(a.choice.amounts, b.choice.amounts) ||
  compareText(a.template.name, b.template.name) ||
  byLimit(a.choice.limit, b.choice.limit) ||
  compareText(JSON.stringify(a.template.labels), JSON.stringify(b.template.labels));

const byAmounts = (a: Float64Array, b: Float64Array): number => {
  for (let resource = 0; resource < a.length; resource += 1) {
    const difference = (a[resource] as number) - (b[resource] as number);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** Two without a limit are level: Infinity less Infinity would be no number. */
const byLimit = (a: number, b: number): number => (a === b ? 0 : a - b);

/** The offers, sorted into families in an order that does not depend on theirs. */
export function familiesOf(input: FamiliesInput): readonly Family[] {
  const { offers, state, natures, resources, labelsUsed } = input;
  const groups = new Map<string, Offered[]>();
  const all = natures.map(() => true);
  offers.forEach(({ template, price, limit, accepts }, offer) => {
    if (limit <= 0) return;
    const accepted = accepts === undefined ? all : natures.map(({ pod }) => accepts(pod));
    // Those that accept all are alike, whether they were asked or not.
    const refused = accepted === all ? '' : textOfRefused(accepted);
    const looks = `${looksOf(template, labelsUsed)} ${refused}`;
    const amounts = Float64Array.from(resources, (name) => amountIn(template.allocatable, name));
    const group = groups.get(looks) ?? [];
    groups.set(looks, group);
    group.push({
      template,
      choice: { offer, amounts, price, limit, used: 0 },
      accepted,
    });
  });
  return sortedBy([...groups], ([looks]) => looks).flatMap(([, group]) => {
    const ordered = group.toSorted(inOrder);
    const [first] = ordered;
    if (first === undefined) return [];
    const template = { ...first.template, allocatable: { pods: Number.MAX_SAFE_INTEGER } };
    const probe = state.addNode(template, 'new/probe');
    const suits = natures.map(
      ({ question }, nature) => first.accepted[nature] === true && question.suits(probe),
    );
    state.removeNewestNode();
    const pricing = createPricing(ordered.map(({ choice }) => choice));
    return [{ template, pricing, existing: false, suits }];
  });
}
