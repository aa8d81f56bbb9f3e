import type { NodeSelectorRequirement, NodeSelectorTerm } from '#cluster/constraints.ts';
import {
  matchesExpression,
  matchesField,
  matchesNodeSelector,
  matchesTerms,
} from '#cluster/labels.ts';
import type { NodeTemplate } from '../node.ts';
import { hostnameLabel } from '../state/node-list.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import type { FitReason } from './filter.ts';
import { explainNodeSelector, labelOfNode } from './node-selector.ts';
import type { FilterPlugin } from './plugin.ts';

const termsShown = 3;

/** `zone In [a, b]`, `gpu Exists`. */
export const requirementText = ({ key, operator, values }: NodeSelectorRequirement): string =>
  values.length === 0 ? `${key} ${operator}` : `${key} ${operator} [${values.join(', ')}]`;

/** The first part of a term that the node does not meet. */
function unmet(term: NodeSelectorTerm, node: NodeTemplate): string {
  const expression = term.matchExpressions.find((one) => !matchesExpression(one, node.labels));
  if (expression) return `${requirementText(expression)} (${labelOfNode(node, expression.key)})`;
  const field = term.matchFields.find((one) => !matchesField(one, node.name));
  return field ? `field ${requirementText(field)}` : 'a term without any expression';
}

function message(terms: readonly NodeSelectorTerm[], node: NodeTemplate): string {
  if (terms.length === 0) return 'required node affinity has no term, so that no node matches it';
  const shown = terms.slice(0, termsShown).map((term) => unmet(term, node));
  const more = terms.length > termsShown ? ` or ${terms.length - termsShown} more terms` : '';
  return `required node affinity wants ${shown.join(' or ')}${more}`;
}

const schedulerReason = "node(s) didn't match Pod's node affinity/selector";

const conflicting: FitReason = {
  code: 'nodeAffinity',
  message: 'every term of the required node affinity asks for nodes of different names at once',
  schedulerReason: 'pod affinity terms conflict',
};

/** The names that a term leaves; `undefined` where it names none. */
function namesOf(term: NodeSelectorTerm): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined;
  for (const { key, operator, values } of term.matchFields) {
    if (key !== 'metadata.name' || operator !== 'In') continue;
    const before = names;
    names = new Set(before === undefined ? values : values.filter((value) => before.has(value)));
  }
  return names;
}

/** The node names that the terms leave together, where each names some (PreFilter). */
function namesOfAll(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  if (terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of terms) {
    const some = namesOf(term);
    if (some === undefined) return undefined;
    for (const name of some) names.add(name);
  }
  return names;
}

/** Whether required node affinity or nodeSelector look at what each node has for itself. */
export const looksAtNames = ({ nodeSelector, requiredNodeAffinity }: NodeDemand): boolean =>
  Object.hasOwn(nodeSelector, hostnameLabel) ||
  (requiredNodeAffinity ?? []).some(
    ({ matchExpressions, matchFields }) =>
      matchFields.length > 0 || matchExpressions.some(({ key }) => key === hostnameLabel),
  );

export type NodeDemand = Pick<StatePod, 'nodeSelector' | 'requiredNodeAffinity'>;

/** nodeSelector and at least one required term. */
export const matchesDemand = (demand: NodeDemand, node: NodeTemplate): boolean =>
  matchesNodeSelector(demand.nodeSelector, node.labels) &&
  matchesTerms(demand.requiredNodeAffinity, node);

/** NodeAffinity: nodeSelector and required node affinity, with the nodes that it leaves by name. */
export const nodeAffinity: FilterPlugin = {
  name: 'NodeAffinity',
  ask: (pod, { nodes }) => {
    const { nodeSelector, requiredNodeAffinity: terms } = pod;
    if (terms === undefined && Object.keys(nodeSelector).length === 0) return undefined;
    const byName = looksAtNames(pod);
    const onlyNodes = namesOfAll(terms ?? []);
    return {
      ...(onlyNodes?.size === 0 ? { rejected: conflicting } : {}),
      ...(onlyNodes === undefined || onlyNodes.size === 0 ? {} : { onlyNodes }),
      fixed: {
        byName,
        judge: (node) => matchesDemand(pod, byName ? nodes.at(node) : nodes.templateOf(node)),
      },
      explain: (node) => {
        const view = nodes.at(node);
        const reasons = explainNodeSelector(nodeSelector, view);
        if (terms !== undefined && !matchesTerms(terms, view)) {
          reasons.push({ code: 'nodeAffinity', message: message(terms, view) });
        }
        return reasons.map((reason) => ({ ...reason, schedulerReason }));
      },
    };
  },
};
