import type { LabelSelector, PodQuery } from '#cluster/constraints.ts';

const shown = 4;

function selectorText(selector: LabelSelector): string {
  const parts = [
    ...Object.entries(selector.matchLabels).map(([key, value]) => `${key}=${value}`),
    ...selector.matchExpressions.map(({ key, operator, values }) =>
      values.length === 0 ? `${key} ${operator}` : `${key} ${operator} [${values.join(', ')}]`,
    ),
  ];
  if (parts.length <= shown) return parts.join(', ');
  return `${parts.slice(0, shown).join(', ')} and ${parts.length - shown} more`;
}

/** The pods that a selector speaks of, for people: `pods with app=web`. */
export function podsText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'no pod (there is no selector)';
  const text = selectorText(selector);
  return text === '' ? 'any pod' : `pods with ${text}`;
}

/** The same with the namespaces of the query. */
export function queryText(query: PodQuery): string {
  const { namespaces, namespaceSelector } = query;
  const named = namespaces.length === 0 ? [] : [namespaces.slice(0, shown).join(', ')];
  const chosen =
    namespaceSelector === undefined
      ? []
      : [`namespaces with ${selectorText(namespaceSelector) || 'any label'}`];
  return `${podsText(query.selector)} in ${[...named, ...chosen].join(' or ') || 'no namespace'}`;
}
