import { getOwn } from '#cluster/own-record.ts';
import type { Problem } from '#cluster/problem.ts';
import { priorityConfigMap } from '#cluster/read-config-map.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import { readPriorities } from './read-priorities.ts';
import { bareExpression, stepsOfExpression } from './steps-of-expression.ts';

export interface GroupPriorities {
  /** The highest priority that one of whose expressions is found in the group's name. */
  of(group: string): number | undefined;
  readonly problems: readonly Problem[];
}

/** No list can be told from none: what is malformed ranks nothing, and the next expander decides. */
const none = (problems: readonly Problem[]): GroupPriorities => ({
  of: () => undefined,
  problems,
});

/**
 * Priorities as Cluster Autoscaler reads them: an expression counts where it is found anywhere in the name, the
 * highest priority of a group counts. Unlike there a list that cannot be read leaves the choice to the next expander and
 * does not end scaling.
 */
export const groupPriorities = (text: string | undefined): GroupPriorities => {
  const field = `configmaps[${priorityConfigMap.namespace}/${priorityConfigMap.name}].data.${priorityConfigMap.key}`;
  const problem = (code: string, message: string): GroupPriorities =>
    none([{ field, code, message }]);
  if (text === undefined) {
    return problem(
      'prioritiesMissing',
      'is missing, though scaling.expander names priority: the next expander decides; add the ConfigMap, with regular expressions for names of groups by priority',
    );
  }
  const read = readPriorities(text);
  if ('fault' in read) {
    return problem('malformedPriorities', `${read.fault}; the next expander decides`);
  }
  const tiers: { readonly priority: number; readonly pattern: RegExp }[] = [];
  for (const { priority, expressions } of read.tiers) {
    for (const expression of expressions) {
      if (expression.length > mostCharacters) {
        return problem(
          'malformedPriorities',
          `an expression of priority ${priority} has ${expression.length} characters, of which ${mostCharacters} are allowed: divide it into several; the next expander decides`,
        );
      }
      const pattern = regExpOf(expression);
      if (pattern === undefined) {
        return problem(
          'malformedPriorities',
          `${JSON.stringify(expression)} of priority ${priority} is no regular expression: correct it; the next expander decides`,
        );
      }
      if (stepsOfExpression(pattern.source) > mostSteps) {
        return problem(
          'malformedPriorities',
          `${JSON.stringify(expression)} of priority ${priority} could take too long to be looked for in a name: write it with fewer repetitions, and none within another; the next expander decides`,
        );
      }
      tiers.push({ priority, pattern });
    }
  }
  tiers.sort((a, b) => b.priority - a.priority);
  return {
    of: (group) => tiers.find(({ pattern }) => pattern.test(group))?.priority,
    problems: [],
  };
};

/** What is looked for in each name, by everybody who may write the ConfigMap, must not hold up other clusters. */
const mostSteps = 20_000_000;

/** Names have 255; and parts within parts must not be deeper than can be read. */
const mostCharacters = 1000;

/** Go's expressions where they differ: flags at the start, names of parts, ends of the text. */
const regExpOf = (expression: string): RegExp | undefined => {
  const [, flags = '', rest = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(expression) ?? [];
  const pattern = rest.replaceAll('(?P<', '(?<').replace(/^\\A/, '^').replace(/\\z$/, '$');
  try {
    return new RegExp(bareExpression(pattern), [...new Set(flags)].join(''));
  } catch {
    return undefined;
  }
};

/** The list as the cluster has it; `undefined` where it has none. */
export const prioritiesIn = ({ configMaps = [] }: ClusterSnapshot): string | undefined => {
  const found = configMaps.find(
    ({ namespace, name }) =>
      namespace === priorityConfigMap.namespace && name === priorityConfigMap.name,
  );
  return found === undefined ? undefined : getOwn(found.data, priorityConfigMap.key);
};
