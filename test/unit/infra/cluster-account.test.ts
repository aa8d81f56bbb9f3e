import { App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { ClusterAccountStack } from '../../../infra/stacks/cluster-account-stack.ts';
import { actionsOf, configurationFile, statementsOfRole } from './synthesise.ts';

const trusted = [
  'arn:aws:iam::111111111111:role/Outrider-NetworkmainRole-1',
  'arn:aws:iam::111111111111:role/Outrider-ForwardEventsRole-1',
];
const configuration = `
clusters:
  - { name: near, mode: act }
  - name: far
    mode: act
    account: { roleArn: "arn:aws:iam::222222222222:role/people/outrider-cluster", externalId: id-far }
  - name: watched
    account: { roleArn: "arn:aws:iam::222222222222:role/people/outrider-cluster", externalId: id-watched }
  - name: other
    mode: act
    account: { roleArn: "arn:aws:iam::222222222222:role/outrider-other", externalId: id-other }
  - name: elsewhere
    mode: act
    account: { roleArn: "arn:aws:iam::333333333333:role/outrider-cluster", externalId: id-elsewhere }
`;

const made = (clusterAccount: string, app = new App(), roles: readonly string[] = trusted) =>
  new ClusterAccountStack(app, 'OutriderClusterAccount', {
    configurationFile: configurationFile(configuration),
    clusterAccount,
    trustedRoleArns: roles,
  });
const template = Template.fromStack(made('222222222222'));

describe('the roles of another account', () => {
  it('are those that the configuration names there, by name and path', () => {
    const roles = Object.values(template.findResources('AWS::IAM::Role')).map(({ Properties }) => [
      Properties.Path,
      Properties.RoleName,
    ]);
    expect(roles).toEqual(
      expect.arrayContaining([
        ['/people/', 'outrider-cluster'],
        [undefined, 'outrider-other'],
      ]),
    );
    expect(roles.filter(([, name]) => name !== undefined)).toHaveLength(2);
  });

  it('are taken on by the functions of the deployment alone, with the external id of a cluster', () => {
    template.hasResourceProperties('AWS::IAM::Role', {
      RoleName: 'outrider-cluster',
      AssumeRolePolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sts:AssumeRole',
            Condition: {
              ArnEquals: { 'aws:PrincipalArn': trusted },
              StringEquals: { 'sts:ExternalId': ['id-far', 'id-watched'] },
            },
          },
        ],
      },
    });
    const text = JSON.stringify(template.findResources('AWS::IAM::Role'));
    expect(text).not.toContain('id-elsewhere');
    expect(text).toContain(':iam::111111111111:root');
  });

  it('read groups and raise those with the tags of a cluster that acts, nothing else', () => {
    const statements = statementsOfRole(template, 'Clusters1Role');
    expect([...new Set(statements.flatMap(actionsOf))].toSorted()).toEqual([
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeAutoScalingInstances',
      'autoscaling:DescribeScalingActivities',
      'autoscaling:SetDesiredCapacity',
      'ec2:DescribeImages',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeLaunchTemplateVersions',
      'ec2:DescribeSpotPriceHistory',
      'ec2:GetInstanceTypesFromInstanceRequirements',
    ]);
    const raises = statements.filter((each) =>
      actionsOf(each).includes('autoscaling:SetDesiredCapacity'),
    );
    expect(raises.map(({ Condition }) => Condition)).toEqual([
      {
        Null: {
          'autoscaling:ResourceTag/k8s.io/cluster-autoscaler/enabled': 'false',
          'autoscaling:ResourceTag/k8s.io/cluster-autoscaler/far': 'false',
        },
      },
    ]);
  });

  it('come with a rule that sends launches that failed to the deployment', () => {
    template.resourceCountIs('AWS::Events::Rule', 1);
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.autoscaling'],
        'detail-type': ['EC2 Instance Launch Unsuccessful'],
      },
    });
    const [rule] = Object.values(template.findResources('AWS::Events::Rule'));
    expect(JSON.stringify(rule?.Properties.Targets)).toContain(':111111111111:event-bus/default');
  });

  it.each([
    [
      'an account that no cluster is in',
      () => made('444444444444'),
      /444444444444.*222222222222, 333333333333/,
    ],
    [
      'what is no role',
      () => made('222222222222', new App(), ['arn:aws:iam::111111111111:user/me']),
      /trustedRoleArns: arn:aws:iam::111111111111:user\/me/,
    ],
    [
      'roles of two accounts',
      () =>
        made('222222222222', new App(), [
          'arn:aws:iam::111111111111:role/a',
          'arn:aws:iam::555555555555:role/a',
        ]),
      /roles of one account.*FunctionRoleArns/,
    ],
  ])('%s is refused with the remedy', (_, make, message) => {
    expect(make).toThrow(message);
  });

  it('pass the checks of cdk-nag', () => {
    const before = process.env.CDK_VALIDATION;
    process.env.CDK_VALIDATION = 'true';
    try {
      const app = new App();
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
      made('222222222222', app);
      expect(() => app.synth()).not.toThrow();
    } finally {
      process.env.CDK_VALIDATION = before;
    }
  });
});
