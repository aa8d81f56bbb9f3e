import { Stack } from 'aws-cdk-lib';
import {
  ManagedPolicy,
  PolicyDocument,
  type PolicyStatement,
  type Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/*
 * Limits of IAM, in characters without white space: all inline policies of a role together 10,240, one
 * managed policy 6,144; a role may have 10 managed policies unless a higher quota was asked for.
 * Source: "IAM and AWS STS quotas", IAM user guide.
 */
const mostOfInline = 3_000;
const mostOfManaged = 6_000;
const mostManaged = 10;

/** Room for a network's clusters in one role, beside what every function may do. */
export const mostOfClusters = mostOfInline + mostManaged * mostOfManaged;

/** A statement of so many characters leaves no great gaps where policies are filled with such. */
export const mostOfStatement = 2_900;

/** The longest that AWS has for what a template leaves open. */
const longest: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-northeast-1',
  'AWS::AccountId': '000000000000',
};
const longestOther = 'x'.repeat(120);

/** A statement's length in a policy, at most: what only the deployment knows counts as its longest. */
export const charactersOf = (scope: Construct, statement: PolicyStatement): number =>
  JSON.stringify(spell(Stack.of(scope).resolve(statement.toStatementJson()))).length + 1;

/** A resolved value with its intrinsic functions spelt out. */
const spell = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(spell);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, operand] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (name === 'Ref') return longest[`${operand}`] ?? longestOther;
    if (name === 'Fn::GetAtt') return longestOther;
    if (name === 'Fn::Join' && Array.isArray(operand)) {
      return (operand[1] as unknown[]).map(spell).join(`${operand[0]}`);
    }
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spell(each)]));
};

/** Cuts a list into runs whose members have at most so many characters together. */
export const cutBySize = <T>(
  values: readonly T[],
  sizeOf: (value: T) => number,
  most: number,
): readonly (readonly T[])[] => {
  const runs: T[][] = [];
  let left = 0;
  for (const value of values) {
    const size = sizeOf(value);
    if (runs.length === 0 || size > left) {
      runs.push([]);
      left = most;
    }
    runs.at(-1)?.push(value);
    left -= size;
  }
  return runs;
};

/** Whether `addStatements` can give them all to one role. */
export const fitRole = (scope: Construct, statements: readonly PolicyStatement[]): boolean =>
  pack(scope, statements).length <= mostManaged + 1;

/**
 * Gives a role statements that one policy cannot hold: the first ones in its own, the rest in managed
 * policies. The CDK splits policies too, but takes each ARN for 150 characters and so needs twice as many.
 */
export const addStatements = (role: Role, statements: readonly PolicyStatement[]): void => {
  const [inline = [], ...managed] = pack(role, statements);
  for (const statement of inline) role.addToPolicy(statement);
  managed.forEach((part, index) => {
    new ManagedPolicy(role, `Clusters${index + 1}`, {
      description: `Part of what ${role.node.path} may do.`,
      document: new PolicyDocument({ statements: [...part], minimize: false }),
      roles: [role],
    });
  });
};

/** First the inline policy's share, then one for each managed policy. */
const pack = (
  scope: Construct,
  statements: readonly PolicyStatement[],
): readonly (readonly PolicyStatement[])[] => {
  const bins: { readonly held: PolicyStatement[]; left: number }[] = [
    { held: [], left: mostOfInline },
  ];
  for (const statement of statements) {
    const size = charactersOf(scope, statement);
    let bin = bins.find(({ left }) => left >= size);
    if (bin === undefined) {
      bin = { held: [], left: mostOfManaged };
      bins.push(bin);
    }
    bin.held.push(statement);
    bin.left -= size;
  }
  return bins.map(({ held }) => held);
};
