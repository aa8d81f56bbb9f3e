import type * as z from 'zod';

/** What the rules look at of a scenario file, when each field by itself is right. */
export interface ScenarioParts {
  readonly groups: readonly {
    readonly name: string;
    readonly min: number;
    readonly max: number;
    readonly running?: number | undefined;
    readonly zones: readonly string[];
  }[];
  readonly workloads: readonly { readonly name: NamespacedName }[];
  readonly daemonSets: readonly { readonly name: NamespacedName }[];
  readonly shortages: readonly {
    readonly group?: string | undefined;
    readonly zone?: string | undefined;
    readonly from: number;
    readonly until?: number | undefined;
  }[];
}

interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const repeated = (list: string, names: readonly string[]): readonly Issue[] =>
  names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [{ path: [list, index, 'name'], message: `there is another ${name}: rename one` }],
  );

const fullName = ({ name }: { readonly name: NamespacedName }): string =>
  `${name.namespace}/${name.name}`;

const groupIssues = (groups: ScenarioParts['groups']): readonly Issue[] =>
  groups.flatMap(({ min, max, running = min }, index) => {
    const at = (field: string, message: string): Issue => ({
      path: ['groups', index, field],
      message,
    });
    if (min > max) return [at('min', `is ${min}, above max ${max}: lower it or raise max`)];
    if (running < min) return [at('running', `is ${running}, below min ${min}: raise it`)];
    if (running > max) return [at('running', `is ${running}, above max ${max}: lower it`)];
    return [];
  });

const shortageIssues = ({ groups, shortages }: ScenarioParts): readonly Issue[] => {
  const names = groups.map(({ name }) => name);
  const zones = [...new Set(groups.flatMap((group) => group.zones))];
  return shortages.flatMap(({ group, zone, from, until }, index) => {
    const at = (field: string, message: string): Issue => ({
      path: ['shortages', index, field],
      message,
    });
    const issues: Issue[] = [];
    if (group !== undefined && !names.includes(group)) {
      issues.push(at('group', `there is no group ${group}: use one of ${names.join(', ')}`));
    }
    if (zone !== undefined && !zones.includes(zone)) {
      issues.push(at('zone', `no group is in ${zone}: use one of ${zones.join(', ')}`));
    }
    if (until !== undefined && until <= from) {
      issues.push(at('until', 'is not after from: the shortage would never be'));
    }
    return issues;
  });
};

/** What no field can know by itself: names that repeat or lead nowhere, sizes out of order. */
export const checkScenario = (
  scenario: ScenarioParts,
  context: z.core.$RefinementCtx<ScenarioParts>,
): void => {
  const issues = [
    ...groupIssues(scenario.groups),
    ...repeated(
      'groups',
      scenario.groups.map(({ name }) => name),
    ),
    ...repeated('workloads', scenario.workloads.map(fullName)),
    ...repeated('daemonSets', scenario.daemonSets.map(fullName)),
    ...shortageIssues(scenario),
  ];
  for (const { path, message } of issues) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
};
