import type { NodeSelectorRequirement, NodeSelectorTerm } from '#cluster/constraints.ts';
import { matchesExpression, matchesField, matchesTerms } from '#cluster/labels.ts';
import type { SchedulingNode } from '../node.ts';
import type { FitFilter } from './filter.ts';
import { labelOfNode } from './node-selector.ts';

const termsShown = 3;

const requirementText = ({ key, operator, values }: NodeSelectorRequirement): string =>
  values.length === 0 ? `${key} ${operator}` : `${key} ${operator} [${values.join(', ')}]`;

/** The first part of a term that the node does not meet. */
function unmet(term: NodeSelectorTerm, node: SchedulingNode): string {
  const expression = term.matchExpressions.find((one) => !matchesExpression(one, node.labels));
  if (expression) return `${requirementText(expression)} (${labelOfNode(node, expression.key)})`;
  const field = term.matchFields.find((one) => !matchesField(one, node.name));
  return field ? `field ${requirementText(field)}` : 'a term without any expression';
}

function message(terms: readonly NodeSelectorTerm[], node: SchedulingNode): string {
  if (terms.length === 0) return 'required node affinity has no term, so that no node matches it';
  const shown = terms.slice(0, termsShown).map((term) => unmet(term, node));
  const more = terms.length > termsShown ? ` or ${terms.length - termsShown} more terms` : '';
  return `required node affinity wants ${shown.join(' or ')}${more}`;
}

/** NodeAffinity, second half: at least one required term matches. */
export const nodeAffinityFilter: FitFilter = {
  passes: (pod, node) => matchesTerms(pod.requiredNodeAffinity, node),
  explain: (pod, node) =>
    pod.requiredNodeAffinity === undefined || matchesTerms(pod.requiredNodeAffinity, node)
      ? []
      : [{ code: 'nodeAffinity', message: message(pod.requiredNodeAffinity, node) }],
};
