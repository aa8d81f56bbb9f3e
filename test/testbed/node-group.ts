import {
  AutoScalingClient,
  CreateAutoScalingGroupCommand,
  type InstanceRequirements,
} from '@aws-sdk/client-auto-scaling';
import {
  type _InstanceType,
  CreateLaunchTemplateCommand,
  DescribeSubnetsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import type { AwsEmulator } from './aws-emulator.ts';

/** A node group of the test bed: an Auto Scaling group with a launch template of the same name. */
export interface NodeGroupSettings {
  readonly name: string;
  /** Found by this cluster's discovery tags. */
  readonly cluster: string;
  readonly instanceType: string;
  /** Chooses its types by attributes instead; then it cannot launch here. */
  readonly requirements?: InstanceRequirements;
  /** Default: `us-east-1a` alone. */
  readonly zones?: readonly string[];
  readonly min?: number;
  readonly max: number;
  readonly desired?: number;
  /** Default: true, so that only its scaler takes instances away. */
  readonly protectedFromScaleIn?: boolean;
  /** More tags, such as `k8s.io/cluster-autoscaler/node-template/label/team`. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Makes it; its instances, if any, are launched before this returns. */
export const makeNodeGroup = async (
  emulator: AwsEmulator,
  settings: NodeGroupSettings,
): Promise<void> => {
  const ec2 = new EC2Client(emulator.clientConfig);
  const autoScaling = new AutoScalingClient(emulator.clientConfig);
  try {
    await ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: settings.name,
        LaunchTemplateData: {
          ImageId: 'ami-0123456789abcdef0',
          ...(settings.requirements === undefined && {
            InstanceType: settings.instanceType as _InstanceType,
          }),
        },
      }),
    );
    const zones = settings.zones ?? ['us-east-1a'];
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
    const subnets = Subnets.filter(({ AvailabilityZone = '' }) => zones.includes(AvailabilityZone));
    const tags = {
      'k8s.io/cluster-autoscaler/enabled': 'true',
      [`k8s.io/cluster-autoscaler/${settings.cluster}`]: 'owned',
      ...settings.tags,
    };
    await autoScaling.send(
      new CreateAutoScalingGroupCommand({
        AutoScalingGroupName: settings.name,
        ...launchedFrom(settings),
        MinSize: settings.min ?? 0,
        MaxSize: settings.max,
        DesiredCapacity: settings.desired ?? settings.min ?? 0,
        VPCZoneIdentifier: subnets.map(({ SubnetId }) => SubnetId).join(','),
        NewInstancesProtectedFromScaleIn: settings.protectedFromScaleIn ?? true,
        Tags: Object.entries(tags).map(([Key, Value]) => ({
          Key,
          Value,
          PropagateAtLaunch: false,
        })),
      }),
    );
  } finally {
    ec2.destroy();
    autoScaling.destroy();
  }
};

const launchedFrom = ({ name, requirements }: NodeGroupSettings) => {
  const template = { LaunchTemplateName: name, Version: '$Default' };
  if (requirements === undefined) return { LaunchTemplate: template };
  const Overrides = [{ InstanceRequirements: requirements }];
  return {
    MixedInstancesPolicy: {
      LaunchTemplate: { LaunchTemplateSpecification: template, Overrides },
    },
  };
};
