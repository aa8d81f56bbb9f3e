import { compareText } from '#cluster/order.ts';
import type { Reason } from '../decision.ts';
import type { Look } from './look.ts';

/**
 * Of every node, those on their way and planned too, the first rule that refuses the pod, in the order in which
 * kube-scheduler asks; by name.
 */
export const reasonsOfNodes = ({ pod, context }: Look): readonly Reason[] => {
  const { world } = context;
  const { state } = world;
  const offering = new Set([...world.existing, ...world.expected().map(({ node }) => node)]);
  const question = state.questionOf(pod);
  return world
    .nodes()
    .map((node): Reason => {
      const { name } = state.nodeAt(node);
      const [first] = question.explain(node);
      if (first !== undefined) return { node: name, code: first.code, message: first.message };
      return offering.has(node)
        ? { node: name, code: 'fits', message: 'it takes the pod' }
        : { node: name, code: 'notReady', message: 'it is not Ready, so its room does not count' };
    })
    .sort((a, b) => compareText(a.node ?? '', b.node ?? ''));
};
