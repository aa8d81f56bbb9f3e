import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { EventBus as EventBusTarget } from 'aws-cdk-lib/aws-events-targets';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { accountOfArn, roleArnForm } from '#config/arn.ts';
import type { ClusterConfiguration } from '#config/configuration.ts';
import {
  instanceLaunchUnsuccessfulDetailType,
  instanceLaunchUnsuccessfulSource,
} from '#events/launch-failed.ts';
import { raisesOfAccount } from './cluster-statements.ts';
import { addStatements } from './policy-size.ts';
import { nodeGroupReads, readAnywhere } from './statements.ts';
import { acknowledgeRaises, acknowledgeReads } from './wildcards.ts';

export interface OutriderClusterAccountProps {
  /** ARN of the role to make, as `account.roleArn` has it in `outrider.yaml`. */
  readonly roleArn: string;
  /** The clusters whose groups are in this account and that name this role. */
  readonly clusters: readonly ClusterConfiguration[];
  /** Output `FunctionRoleArns` of the deployment: who may take the role on. */
  readonly trustedRoleArns: readonly string[];
}

/**
 * What an account needs in which clusters' groups are, while Outrider is deployed in another: a role for
 * the deployment's functions, which may read groups and raise those with the clusters' tags and nothing else.
 */
export class OutriderClusterAccount extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, props: OutriderClusterAccountProps) {
    super(scope, id);
    checkRole('roleArn', props.roleArn);
    const [, ...names] = props.roleArn.split('/');
    const externalIds = new Set(props.clusters.flatMap(({ account }) => account?.externalId ?? []));
    const accounts = accountsOf(props.trustedRoleArns);
    const [deployment] = accounts;
    if (deployment === undefined || accounts.size > 1) {
      throw new Error(
        'trustedRoleArns: name roles of one account, those of the output FunctionRoleArns of the deployment',
      );
    }
    this.role = new Role(this, 'Role', {
      roleName: names.at(-1) ?? '',
      ...(names.length > 1 ? { path: `/${names.slice(0, -1).join('/')}/` } : {}),
      description: 'What Outrider, deployed in another account, may do in this one.',
      maxSessionDuration: Duration.hours(1),
      // Not the roles as principals: one that is made anew would have lost the trust without a word.
      assumedBy: new AccountPrincipal(deployment).withConditions({
        ArnEquals: { 'aws:PrincipalArn': [...props.trustedRoleArns] },
        StringEquals: { 'sts:ExternalId': [...externalIds] },
      }),
    });
    this.role.addToPolicy(readAnywhere('ReadNodeGroups', nodeGroupReads));
    addStatements(this.role, raisesOfAccount(this, props.clusters));
    acknowledgeReads(this.role);
    acknowledgeRaises(this.role);
  }

  /** Sends the launches that failed here to the deployment's account; once in an account and region. */
  forwardLaunchFailures(deploymentAccount: string): void {
    const arn = Stack.of(this).formatArn({
      service: 'events',
      account: deploymentAccount,
      resource: 'event-bus',
      resourceName: 'default',
    });
    new Rule(this, 'LaunchUnsuccessful', {
      description: 'Launches of Auto Scaling groups that failed, for Outrider in another account.',
      eventPattern: {
        source: [instanceLaunchUnsuccessfulSource],
        detailType: [instanceLaunchUnsuccessfulDetailType],
      },
      targets: [new EventBusTarget(EventBus.fromEventBusArn(this, 'Deployment', arn))],
    });
  }
}

const accountsOf = (roleArns: readonly string[]): ReadonlySet<string> =>
  new Set(
    roleArns.flatMap((arn) => {
      checkRole('trustedRoleArns', arn);
      return accountOfArn(arn) ?? [];
    }),
  );

const checkRole = (field: string, arn: string): void => {
  if (!roleArnForm.test(arn)) throw new Error(`${field}: ${arn} is not the ARN of a role`);
};
