import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { CloudFormationClient, CreateStackCommand } from '@aws-sdk/client-cloudformation';
import { EC2Client } from '@aws-sdk/client-ec2';
import { STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assumedRole } from '#adapters/aws/assumed-role.ts';
import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import { clientOptions, singleAttempt } from '#adapters/aws/client-options.ts';
import { instanceRequirementsCatalogue } from '#adapters/aws/ec2-instance-requirements.ts';
import { instanceTypeCatalogue } from '#adapters/aws/ec2-instance-types.ts';
import { foreignInstances } from '#adapters/aws/foreign-instances.ts';
import { launchTemplateCatalogue } from '#adapters/aws/launch-template-catalogue.ts';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import '../../helpers/own-temporary-folder.ts';

const otherAccount = '111111111111';
const externalId = 'agreed-upon-42';
const roleArn = `arn:aws:iam::${otherAccount}:role/outrider`;

/** What the owner of the other account makes: a role that our account may take on with the external id. */
const template = {
  Resources: {
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: 'outrider',
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Principal: { AWS: 'arn:aws:iam::000000000000:root' },
              Action: 'sts:AssumeRole',
              Condition: { StringEquals: { 'sts:ExternalId': externalId } },
            },
          ],
        },
        Policies: [
          {
            PolicyName: 'scale',
            PolicyDocument: {
              Version: '2012-10-17',
              Statement: [
                {
                  Effect: 'Allow',
                  Action: [
                    'autoscaling:Describe*',
                    'autoscaling:SetDesiredCapacity',
                    'ec2:DescribeLaunchTemplateVersions',
                    'ec2:DescribeInstanceTypes',
                  ],
                  Resource: '*',
                },
              ],
            },
          },
        ],
      },
    },
  },
};

describe.skipIf(await withoutTestbed())('a cluster in another account', () => {
  let emulator: AwsEmulator;
  let sts: STSClient;
  /** The emulator as the owner of the other account sees it. */
  let others: AwsEmulator;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outrider-accounts-'));
    emulator = await startAwsEmulator({ folder, progress: () => undefined });
    const credentials = { accessKeyId: otherAccount, secretAccessKey: 'test' };
    others = { ...emulator, clientConfig: { ...emulator.clientConfig, credentials } };
    sts = new STSClient(emulator.clientConfig);
    const stacks = new CloudFormationClient(others.clientConfig);
    await stacks.send(
      new CreateStackCommand({
        StackName: 'outrider-role',
        TemplateBody: JSON.stringify(template),
        Capabilities: ['CAPABILITY_NAMED_IAM'],
      }),
    );
    stacks.destroy();
  });
  afterAll(async () => {
    sts?.destroy();
    await emulator?.stop();
  });

  const roleWith = (id: string) =>
    assumedRole(sts, { roleArn, externalId: id, sessionName: 'outrider' });
  const nodeGroupsWith = (credentials: ReturnType<typeof assumedRole>) => {
    const { endpoint, region } = emulator.clientConfig;
    const config = { ...clientOptions, endpoint, region, credentials };
    const [autoScaling, ec2] = [new AutoScalingClient(config), new EC2Client(config)];
    const discoveryTags = defaultDiscoveryTags('prod');
    return autoScalingNodeGroups({
      autoScaling,
      raising: new AutoScalingClient({ ...config, ...singleAttempt }),
      discoveryTags,
      instanceTypes: instanceTypeCatalogue(ec2),
      launchTemplates: launchTemplateCatalogue(ec2),
      requirements: instanceRequirementsCatalogue(ec2),
      foreign: foreignInstances(autoScaling, { discoveryTags }),
    });
  };

  it('is read and raised as the role there, and a cluster of the same name here is not touched', async () => {
    const group = { cluster: 'prod', instanceType: 'm5.large', max: 3, desired: 1 };
    await makeNodeGroup(emulator, { ...group, name: 'ours' });
    await makeNodeGroup(others, { ...group, name: 'theirs' });
    const nodeGroups = nodeGroupsWith(roleWith(externalId));
    await emulator.control.forgetCalls();
    const { view, problems } = await nodeGroups.discover();
    expect(problems).toEqual([]);
    expect(view.groups.map(({ name }) => name)).toEqual(['theirs']);
    await nodeGroups.setDesiredCapacity('theirs', 2);
    expect(await nodeGroups.capacity('theirs')).toMatchObject({ desired: 2 });
    expect(await nodeGroups.capacity('ours')).toBeUndefined();
    const calls = await emulator.control.calls();
    expect(calls.filter(({ action }) => action === 'AssumeRole')).toHaveLength(1);
    const session = `arn:aws:sts::${otherAccount}:assumed-role/outrider/outrider`;
    const acting = calls.filter(({ action }) => action !== 'AssumeRole');
    expect(new Set(acting.map(({ principal }) => principal))).toEqual(new Set([session]));
  });

  it('is refused without the agreed external id, with the remedy and without the id', async () => {
    const refused = nodeGroupsWith(roleWith('guessed-7')).discover();
    await expect(refused).rejects.toMatchObject({
      code: 'forbidden',
      retryable: false,
      message: expect.stringMatching(/trust policy of arn:aws:iam::111111111111.*external id/),
    });
    await expect(refused).rejects.not.toThrow(/guessed-7/);
  });
});
