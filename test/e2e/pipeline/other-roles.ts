import { CloudFormationClient, CreateStackCommand } from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ClusterAccountStack } from '../../../infra/stacks/cluster-account-stack.ts';
import type { AwsEmulator } from '../../testbed/aws-emulator.ts';
import { configurationFile, statementsOfRole, synthesise } from '../../unit/infra/synthesise.ts';

/** Makes the stack that the owner of another account deploys there; `others` is the emulator as they see it. */
export const deployClusterAccount = async (
  others: AwsEmulator,
  configuration: string,
  trustedRoleArns: readonly string[],
): Promise<void> => {
  const stack = new ClusterAccountStack(new App(), 'OutriderClusterAccount', {
    configurationFile: configurationFile(configuration),
    clusterAccount: others.clientConfig.credentials.accessKeyId,
    trustedRoleArns,
  });
  // It has no assets, so that the account needs no bootstrap, of which the rest of the template speaks.
  const { Resources } = Template.fromStack(stack).toJSON();
  await createStack(others, 'OutriderClusterAccount', { Resources });
};

export interface RelayRole {
  readonly emulator: AwsEmulator;
  readonly configuration: string;
  readonly cluster: string;
  readonly busArn: string;
}

/** A role with what `grantPutEvents` gives the relay of a cluster; the environment of whoever has taken it on. */
export const takeOnRelayRole = async ({
  emulator,
  configuration,
  cluster,
  busArn,
}: RelayRole): Promise<Readonly<Record<string, string>>> => {
  const synthesised = synthesise({ configurationFile: configurationFile(configuration) });
  const role = new Role(synthesised.stack, 'Relay', {
    assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
  });
  synthesised.outrider.grantPutEvents(cluster, role);
  const granted = statementsOfRole(synthesised.template(), 'Relay');
  // The bus is another stack's here.
  const Statement = granted.map((statement) => ({ ...statement, Resource: busArn }));
  const { accessKeyId: account } = emulator.clientConfig.credentials;
  const Version = '2012-10-17';
  const trusted = { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${account}:root` } };
  await createStack(emulator, 'relay', {
    Resources: {
      Relay: {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: 'outrider-relay',
          AssumeRolePolicyDocument: {
            Version,
            Statement: [{ ...trusted, Action: 'sts:AssumeRole' }],
          },
          Policies: [{ PolicyName: 'relay', PolicyDocument: { Version, Statement } }],
        },
      },
    },
  });
  const sts = new STSClient(emulator.clientConfig);
  const RoleArn = `arn:aws:iam::${account}:role/outrider-relay`;
  const { Credentials } = await sts.send(
    new AssumeRoleCommand({ RoleArn, RoleSessionName: 'relay' }),
  );
  sts.destroy();
  return {
    AWS_ACCESS_KEY_ID: Credentials?.AccessKeyId ?? '',
    AWS_SECRET_ACCESS_KEY: Credentials?.SecretAccessKey ?? '',
    AWS_SESSION_TOKEN: Credentials?.SessionToken ?? '',
  };
};

const createStack = async (
  { clientConfig }: AwsEmulator,
  StackName: string,
  template: object,
): Promise<void> => {
  const stacks = new CloudFormationClient(clientConfig);
  await stacks
    .send(
      new CreateStackCommand({
        StackName,
        TemplateBody: JSON.stringify(template),
        Capabilities: ['CAPABILITY_NAMED_IAM'],
      }),
    )
    .finally(() => stacks.destroy());
};
