import type { NodeOffer, PackingAnswer, PodKind } from '#scheduling/packing/question.ts';
import type { OccupiedNode } from '#scheduling/state/scheduling-state.ts';
import { bind, faultOf, rulesOf } from './check/binding-rules.ts';

/* Proves a plan by the rules alone: the pods are bound one by one in the order of the plan. */

export interface PlanToCheck {
  readonly kinds: readonly PodKind[];
  readonly offers: readonly NodeOffer[];
  readonly existing: readonly OccupiedNode[];
  readonly answer: PackingAnswer;
}

/** What is wrong with the plan, in words; empty: nothing. */
export function faultsOf({ kinds, offers, existing, answer }: PlanToCheck): readonly string[] {
  const faults: string[] = [];
  const rules = rulesOf([
    ...existing,
    ...answer.nodes.map((offer, index) => {
      const { template } = offers[offer] as NodeOffer;
      const name = `new-${index}`;
      const labels = { ...template.labels, 'kubernetes.io/hostname': name };
      return { template: { ...template, name, labels }, pods: [] };
    }),
  ]);
  const left = kinds.map(({ count }) => count);
  for (const { kind, node: position, count } of answer.bindings) {
    const node = rules.nodes[position];
    const pod = kinds[kind]?.pod;
    if (node === undefined || pod === undefined) {
      faults.push(`kind ${kind} is bound to node ${position}: there is none`);
      continue;
    }
    left[kind] = (left[kind] ?? 0) - count;
    for (let n = 0; n < count; n += 1) {
      const fault = faultOf(pod, node, rules);
      if (fault) faults.push(`kind ${kind} on node ${position} (${node.template.name}): ${fault}`);
      bind(rules, pod, node);
    }
  }
  left.forEach((count, kind) => {
    const unplaced = answer.unplaced[kind] ?? 0;
    if (count !== unplaced) faults.push(`kind ${kind}: ${count} left, ${unplaced} said unplaced`);
  });
  const price = answer.nodes.reduce((sum, offer) => sum + (offers[offer]?.price ?? 0), 0);
  if (price !== answer.price) faults.push(`costs ${price}, said ${answer.price}`);
  offers.forEach(({ limit }, offer) => {
    const taken = answer.nodes.filter((other) => other === offer).length;
    if (taken > limit) faults.push(`offer ${offer}: ${taken} nodes of ${limit}`);
  });
  return faults;
}
