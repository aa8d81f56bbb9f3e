import type { LabelSelector, LabelSelectorRequirement } from '#cluster/constraints.ts';
import { getOwn } from '#cluster/own-record.ts';

type Labels = Readonly<Record<string, string>>;

export type LabelMatcher = (labels: Labels) => boolean;

const nothing: LabelMatcher = () => false;
const everything: LabelMatcher = () => true;

/** A selector with neither pairs nor expressions: it matches everything. */
export const isEmptySelector = (selector: LabelSelector): boolean =>
  selector.matchExpressions.length === 0 && Object.keys(selector.matchLabels).length === 0;

/** Whether Kubernetes could build a requirement of it at all (labels.NewRequirement). */
const isUsable = ({ operator, values }: LabelSelectorRequirement): boolean =>
  operator === 'In' || operator === 'NotIn' ? values.length > 0 : values.length === 0;

function matchesRequirement(requirement: LabelSelectorRequirement, labels: Labels): boolean {
  const value = getOwn(labels, requirement.key);
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && requirement.values.includes(value);
    case 'NotIn':
      return value === undefined || !requirement.values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

/**
 * A selector made ready to be asked often (LabelSelectorAsSelector in apimachinery): absent it matches
 * nothing, empty everything; one that Kubernetes would refuse matches nothing.
 */
export function labelMatcher(selector: LabelSelector | undefined): LabelMatcher {
  if (selector === undefined) return nothing;
  const { matchExpressions } = selector;
  if (!matchExpressions.every(isUsable)) return nothing;
  const pairs = Object.entries(selector.matchLabels);
  if (pairs.length === 0 && matchExpressions.length === 0) return everything;
  return (labels) => {
    for (const [key, value] of pairs) {
      if (getOwn(labels, key) !== value) return false;
    }
    for (const requirement of matchExpressions) {
      if (!matchesRequirement(requirement, labels)) return false;
    }
    return true;
  };
}

/** The label keys that a selector looks at. */
export const keysOf = (selector: LabelSelector | undefined): readonly string[] =>
  selector === undefined
    ? []
    : [...Object.keys(selector.matchLabels), ...selector.matchExpressions.map(({ key }) => key)];

/** A key and the values of which everything that matches has one; `undefined` where there is none. */
export interface Anchor {
  readonly key: string;
  readonly values: readonly string[];
}

export function anchorOf(selector: LabelSelector | undefined): Anchor | undefined {
  if (selector === undefined) return undefined;
  const [pair] = Object.entries(selector.matchLabels);
  if (pair !== undefined) return { key: pair[0], values: [pair[1]] };
  const listed = selector.matchExpressions.find(({ operator }) => operator === 'In');
  return listed && { key: listed.key, values: [...new Set(listed.values)] };
}
