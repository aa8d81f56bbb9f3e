import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  type FunctionOptions,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface QueueFunctionProps {
  readonly description: string;
  readonly roleDescription: string;
  readonly code: Code;
  readonly timeout: Duration;
  readonly memoryMiB: number;
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
  readonly environment: Readonly<Record<string, string>>;
  readonly options?: Pick<
    FunctionOptions,
    'vpc' | 'vpcSubnets' | 'securityGroups' | 'recursiveLoop'
  >;
  /** All that it may do. */
  readonly statements: (logGroup: ILogGroup) => readonly PolicyStatement[];
}

/** A function with a role and a log group of its own; the role has no managed policy of AWS's. */
export const queueFunction = (
  scope: Construct,
  id: string,
  props: QueueFunctionProps,
): { readonly function: LambdaFunction; readonly role: Role } => {
  const logGroup = new LogGroup(scope, 'Log', {
    retention: props.logRetention,
    removalPolicy: props.removalPolicy,
  });
  const role = new Role(scope, 'Role', {
    description: props.roleDescription,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  for (const statement of props.statements(logGroup)) role.addToPolicy(statement);
  return {
    role,
    function: new LambdaFunction(scope, id, {
      description: props.description,
      code: props.code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMiB,
      timeout: props.timeout,
      role,
      logGroup,
      environment: { ...props.environment },
      ...props.options,
    }),
  };
};

/** Variables by their names, from values by their fields. */
export const variablesOf = <T extends object>(
  names: Readonly<Record<keyof T, string>>,
  values: { readonly [K in keyof T]: string },
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Object.keys(names) as (keyof T)[]).map((field) => [names[field], values[field]]),
  );
