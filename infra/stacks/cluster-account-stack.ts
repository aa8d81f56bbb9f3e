import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { accountOfArn } from '#config/arn.ts';
import { OutriderClusterAccount } from '../constructs/cluster-account.ts';
import { checkConfigurationFile } from '../constructs/configuration-file.ts';

export interface ClusterAccountStackProps extends StackProps {
  /** Path of the deployment's `outrider.yaml`. */
  readonly configurationFile: string;
  /** Number of the account that the stack is for. */
  readonly clusterAccount: string;
  /** Output `FunctionRoleArns` of the deployment. */
  readonly trustedRoleArns: readonly string[];
}

/** Every role that the configuration names in one other account. */
export class ClusterAccountStack extends Stack {
  constructor(scope: Construct, id: string, props: ClusterAccountStackProps) {
    super(scope, id, props);
    const { clusters } = checkConfigurationFile(props.configurationFile).configuration;
    const here = clusters.filter(
      ({ account }) => accountOfArn(account?.roleArn) === props.clusterAccount,
    );
    const roleArns = [...new Set(here.flatMap(({ account }) => account?.roleArn ?? []))];
    if (roleArns.length === 0) {
      const known = new Set(
        clusters.flatMap(({ account }) => accountOfArn(account?.roleArn) ?? []),
      );
      throw new Error(
        `context account-role: no cluster of ${props.configurationFile} is in account ${props.clusterAccount}; it names ${[...known].join(', ') || 'no other account'}`,
      );
    }
    const roles = roleArns.map(
      (roleArn, index) =>
        new OutriderClusterAccount(this, `Clusters${index + 1}`, {
          roleArn,
          clusters: here.filter(({ account }) => account?.roleArn === roleArn),
          trustedRoleArns: props.trustedRoleArns,
        }),
    );
    roles[0]?.forwardLaunchFailures(accountOfArn(props.trustedRoleArns[0]) ?? '');
  }
}
