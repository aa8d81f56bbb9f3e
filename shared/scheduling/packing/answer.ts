import type { Bin, Bins } from './bins.ts';
import type { Step } from './build.ts';
import type { Nature } from './natures.ts';
import type { Item, Problem } from './problem.ts';
import type { Binding, PackingAnswer } from './question.ts';

export interface AnswerInput {
  readonly problem: Problem;
  readonly bins: Bins;
  /** The order in which pods with constraints were bound, and where, before the plan was improved. */
  readonly steps: readonly Step[];
  readonly existing: number;
}

/**
 * The plan in the terms of the question. Pods with constraints are bound in the order in which that was
 * found legal. Since then they moved only between nodes that their constraints cannot tell apart, so that
 * each step counts in every domain what it counted then. The others are bound last.
 */
export function answerOf(input: AnswerInput): Pick<PackingAnswer, 'nodes' | 'bindings' | 'price'> {
  const { problem, bins, steps, existing } = input;
  const { items, natures } = problem;
  const used = bins.all.filter(({ family, choice }) => !family.existing && choice >= 0);
  const position = new Map(used.map((bin, index) => [bin, existing + index]));
  const bindings: Binding[] = [];
  const sources = items.map(({ sources: own }) => own.map((source) => ({ ...source })));
  const bind = (bin: Bin, item: number, count: number): void => {
    const node = position.get(bin) ?? bin.node;
    let left = count;
    for (const source of sources[item] ?? []) {
      const taken = Math.min(source.count, left);
      if (taken === 0) continue;
      source.count -= taken;
      left -= taken;
      const last = bindings.at(-1);
      if (last?.kind === source.kind && last.node === node) {
        bindings[bindings.length - 1] = { ...last, count: last.count + taken };
      } else {
        bindings.push({ kind: source.kind, node, count: taken });
      }
    }
  };
  const natureOf = (item: number): Nature => natures[(items[item] as Item).nature] as Nature;
  /** Pods of one nature in one place may change over: on one node, or on nodes that look the same. */
  const places = bins.realms.length + existing + bins.all.length;
  const placeOf = (bin: Bin, item: number): number => {
    const { nature } = items[item] as Item;
    return nature * places + (natureOf(item).perNode ? bins.realms.length + bin.node : bin.realm);
  };
  const held = new Map<number, Step[]>();
  for (const bin of bins.all) {
    bin.items.forEach((item, at) => {
      if (natureOf(item).plain) return;
      const place = placeOf(bin, item);
      const list = held.get(place) ?? [];
      held.set(place, list);
      for (let n = bin.counts[at] as number; n > 0; n -= 1) list.push({ bin, item });
    });
  }
  for (const list of held.values()) list.reverse();
  for (const step of steps) {
    const next = held.get(placeOf(step.bin, step.item))?.pop();
    if (next === undefined) throw new Error('a pod went where its constraints count it elsewhere');
    bind(next.bin, next.item, 1);
  }
  for (const bin of bins.all) {
    bin.items.forEach((item, at) => {
      if (natureOf(item).plain) bind(bin, item, bin.counts[at] as number);
    });
  }
  return {
    nodes: used.map(({ family, choice }) => family.pricing.choices[choice]?.offer as number),
    bindings,
    price: used.reduce((sum, bin) => sum + bin.price, 0),
  };
}
