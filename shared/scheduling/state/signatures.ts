import type { PodFacts, Predicates } from './predicates.ts';

/**
 * What the labels and the namespace of a pod mean to everybody who asks: the predicates that it
 * matches, as a text. Two pods with the same text are alike to all terms known so far.
 */
export const signatureOf = (pod: PodFacts, predicates: Predicates): string => {
  if (predicates.count === 0) return '';
  let text = '';
  for (const { id } of predicates.matchedBy(pod)) text += ` ${id}`;
  return text;
};
