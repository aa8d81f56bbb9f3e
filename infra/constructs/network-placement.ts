import { Annotations, Fn } from 'aws-cdk-lib';
import { SecurityGroup, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { NetworkConfiguration } from '#config/configuration.ts';

type Placement = Pick<FunctionOptions, 'vpc' | 'vpcSubnets' | 'securityGroups'>;

/**
 * Where a network's functions run, by ids alone: synthesis looks nothing up, so it works without an
 * account. The functions need a way out of these subnets to the AWS APIs (NAT or VPC endpoints).
 */
export const networkPlacement = (scope: Construct, { vpc }: NetworkConfiguration): Placement => {
  if (vpc === undefined) return {};
  const placement = new Construct(scope, 'Network');
  return {
    vpc: Vpc.fromVpcAttributes(placement, 'Vpc', {
      vpcId: vpc.vpcId,
      // Demanded, and used by constructs only that choose subnets by themselves.
      availabilityZones: [Fn.select(0, Fn.getAzs())],
    }),
    vpcSubnets: {
      subnets: vpc.subnetIds.map((subnetId) => {
        const subnet = Subnet.fromSubnetId(placement, subnetId, subnetId);
        // Only constructs that route through the subnet need its table.
        Annotations.of(subnet).acknowledgeWarning('@aws-cdk/aws-ec2:noSubnetRouteTableId');
        return subnet;
      }),
    },
    securityGroups: vpc.securityGroupIds.map((securityGroupId) =>
      SecurityGroup.fromSecurityGroupId(placement, securityGroupId, securityGroupId, {
        mutable: false,
      }),
    ),
  };
};

/**
 * What Lambda itself does with the role of a function in a VPC. None of it has resource-level permissions
 * that would hold here: the interfaces are made by Lambda under ids that nobody knows before.
 * Source: "Giving Lambda functions access to resources in an Amazon VPC", AWS Lambda developer guide.
 */
export const networkStatements = ({ vpc }: NetworkConfiguration): readonly PolicyStatement[] =>
  vpc === undefined
    ? []
    : [
        new PolicyStatement({
          sid: 'JoinNetwork',
          actions: [
            'ec2:CreateNetworkInterface',
            'ec2:DescribeNetworkInterfaces',
            'ec2:DescribeSubnets',
            'ec2:DeleteNetworkInterface',
            'ec2:AssignPrivateIpAddresses',
            'ec2:UnassignPrivateIpAddresses',
          ],
          resources: ['*'],
        }),
      ];
