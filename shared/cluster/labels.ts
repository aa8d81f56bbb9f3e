import type { NodeSelectorRequirement, NodeSelectorTerm } from './constraints.ts';
import { parseInt64 } from './integers.ts';
import { getOwn } from './own-record.ts';

type Labels = Readonly<Record<string, string>>;

/** What a node selector term looks at. */
export interface LabelledNode {
  readonly name: string;
  readonly labels: Labels;
}

const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

const isLabelValue = (value: string): boolean => labelValue.test(value);

const isInt64 = (value: string): boolean => parseInt64(value) !== undefined;

/**
 * Whether Kubernetes could build a selector of it at all; a term with one that it could not matches
 * nothing (labels.NewRequirement in apimachinery, `NodeSelector` in component-helpers).
 */
function isUsable({ operator, values }: NodeSelectorRequirement): boolean {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 && values.every(isLabelValue);
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0;
    case 'Gt':
    case 'Lt':
      // A bound that is no label value, such as -1, is refused although it is a whole number.
      return values.length === 1 && values.every((value) => isLabelValue(value) && isInt64(value));
  }
}

function compares(
  actual: string | undefined,
  bound: string | undefined,
  holds: (actual: bigint, bound: bigint) => boolean,
): boolean {
  if (actual === undefined || bound === undefined) return false;
  const left = parseInt64(actual);
  const right = parseInt64(bound);
  return left !== undefined && right !== undefined && holds(left, right);
}

/** One expression against a node's labels. `NotIn` and `DoesNotExist` match an absent key. */
export function matchesExpression(requirement: NodeSelectorRequirement, labels: Labels): boolean {
  if (!isUsable(requirement)) return false;
  const { key, operator, values } = requirement;
  const actual = getOwn(labels, key);
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual);
    case 'NotIn':
      return actual === undefined || !values.includes(actual);
    case 'Exists':
      return actual !== undefined;
    case 'DoesNotExist':
      return actual === undefined;
    case 'Gt':
      return compares(actual, values[0], (left, right) => left > right);
    case 'Lt':
      return compares(actual, values[0], (left, right) => left < right);
  }
}

/** One field requirement: `In` or `NotIn` with exactly one value; only `metadata.name` has one. */
export function matchesField(requirement: NodeSelectorRequirement, nodeName: string): boolean {
  const { key, operator, values } = requirement;
  if (values.length !== 1) return false;
  const actual = key === 'metadata.name' ? nodeName : '';
  if (operator === 'In') return values[0] === actual;
  return operator === 'NotIn' && values[0] !== actual;
}

/** Expressions and fields ANDed; a term with neither matches nothing. */
export function matchesTerm(term: NodeSelectorTerm, node: LabelledNode): boolean {
  if (term.matchExpressions.length === 0 && term.matchFields.length === 0) return false;
  return (
    term.matchExpressions.every((requirement) => matchesExpression(requirement, node.labels)) &&
    term.matchFields.every((requirement) => matchesField(requirement, node.name))
  );
}

/** Terms ORed: absent matches every node, an empty list none. */
export const matchesTerms = (
  terms: readonly NodeSelectorTerm[] | undefined,
  node: LabelledNode,
): boolean => terms === undefined || terms.some((term) => matchesTerm(term, node));

/** Every pair of a nodeSelector is among the labels. */
export function matchesNodeSelector(selector: Labels, labels: Labels): boolean {
  for (const key of Object.keys(selector)) {
    if (getOwn(labels, key) !== getOwn(selector, key)) return false;
  }
  return true;
}
