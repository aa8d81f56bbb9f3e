/** One condition block of a statement, for one key. */
export interface Condition {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** One thing that a role may do: an action on resources of one pattern, under conditions. */
export interface Permission {
  readonly action: string;
  /** An ARN with `*` and `?` as IAM reads them. */
  readonly resource: string;
  readonly conditions: readonly Condition[];
}

/** What was asked of IAM: see `Judgement` of the test bed. */
export interface Asked {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, string | readonly string[]>>;
}

/** What the policies of a role and its calls have not in common, in words. */
export interface Compared {
  /** Asked and covered by no permission. */
  readonly missing: readonly string[];
  /** Permissions that covered nothing. */
  readonly unused: readonly string[];
  /** Values of conditions that no call had. */
  readonly unusedValues: readonly string[];
}

interface Statement {
  readonly Effect: string;
  readonly Action?: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Condition?: Readonly<
    Record<string, Readonly<Record<string, string | readonly string[]>>>
  >;
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

/**
 * Every permission of a policy document. Throws for what this comparison does not know: an effect other than Allow, an
 * action with a wildcard, a statement that names its actions or resources by exclusion.
 */
export const permissionsIn = (document: { readonly Statement: readonly Statement[] }) =>
  document.Statement.flatMap((statement): readonly Permission[] => {
    const actions = listOf(statement.Action);
    const resources = listOf(statement.Resource);
    const plain = actions.length > 0 && resources.length > 0 && !/[*?]/.test(actions.join());
    if (statement.Effect !== 'Allow' || !plain) {
      throw new Error(
        `this statement is of a kind that is not compared: ${JSON.stringify(statement)}`,
      );
    }
    const conditions = Object.entries(statement.Condition ?? {}).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, values]) => ({ operator, key, values: listOf(values) })),
    );
    return actions.flatMap((action) =>
      resources.map((resource) => ({ action, resource, conditions })),
    );
  });

const matches = (pattern: string, value: string): boolean => {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(value);
};

const holds = ({ operator, key, values }: Condition, context: Asked['context']): boolean => {
  const actual = context[key];
  const all = listOf(actual);
  switch (operator) {
    case 'Null':
      return values.every((value) => (actual === undefined) === (value === 'true'));
    case 'StringEquals':
      return all.length === 1 && values.includes(all[0] ?? '');
    case 'ForAllValues:StringEquals':
      return all.every((value) => values.includes(value));
    default:
      throw new Error(`the operator ${operator} is not compared; write it down here`);
  }
};

/** Whether IAM would allow this for that permission alone. */
export const covers = (permission: Permission, asked: Asked): boolean =>
  permission.action.toLowerCase() === asked.action.toLowerCase() &&
  matches(permission.resource, asked.resource) &&
  permission.conditions.every((condition) => holds(condition, asked.context));

const conditionText = ({ operator, key, values }: Condition): string =>
  `${operator} ${key} = ${values.join('|')}`;

/** `sqs:SendMessage on arn:… if StringEquals key = value` */
export const permissionText = ({ action, resource, conditions }: Permission): string =>
  `${action} on ${resource}${conditions.length === 0 ? '' : ` if ${conditions.map(conditionText).join(' and ')}`}`;

/** Whether it allows more than one named resource, or that one under conditions only: what a person has to think of. */
export const isLoose = ({ resource, conditions }: Permission): boolean =>
  /[*?]/.test(resource) || conditions.length > 0;

const distinct = (lines: readonly string[]): readonly string[] => [...new Set(lines)].toSorted();

/** Holds the permissions of one role against everything that its calls asked for. */
export const comparePermissions = (
  permissions: readonly Permission[],
  asked: readonly Asked[],
): Compared => {
  const covered = permissions.map((permission) => ({
    permission,
    calls: asked.filter((each) => covers(permission, each)),
  }));
  const used = covered.filter(({ calls }) => calls.length > 0);
  return {
    missing: distinct(
      asked
        .filter((each) => !permissions.some((permission) => covers(permission, each)))
        .map(({ action, resource }) => `${action} on ${resource}`),
    ),
    unused: distinct(
      covered
        .filter(({ calls }) => calls.length === 0)
        .map(({ permission }) => permissionText(permission)),
    ),
    unusedValues: distinct(
      used.flatMap(({ permission: { action, conditions }, calls }) =>
        conditions
          .filter(({ operator }) => operator !== 'Null')
          .flatMap(({ key, values }) => {
            const had = new Set(calls.flatMap(({ context }) => listOf(context[key])));
            return values
              .filter((value) => !had.has(value))
              .map((value) => `${action}: ${key} = ${value}`);
          }),
      ),
    ),
  };
};
