import type { AutoScalingGroup as RawGroup } from '@aws-sdk/client-auto-scaling';
import type { InstanceTypeInfo, LaunchTemplateVersion as RawVersion } from '@aws-sdk/client-ec2';
import type {
  AutoScalingGroup,
  InstanceType,
  LaunchTemplateVersion,
  ScalingActivity,
} from '#scaling/aws-views.ts';

/* What a simulated account is like, as the APIs of AWS tell it. */

export const rawGroup = (group: AutoScalingGroup): RawGroup => ({
  AutoScalingGroupName: group.name,
  MinSize: group.min,
  MaxSize: group.max,
  DesiredCapacity: group.desired,
  DefaultCooldown: 300,
  HealthCheckType: 'EC2',
  CreatedTime: new Date(0),
  AvailabilityZones: [...group.zones],
  Tags: Object.entries(group.tags).map(([Key, Value]) => ({ Key, Value })),
  LaunchTemplate: {
    LaunchTemplateId: group.launchTemplate?.id,
    LaunchTemplateName: group.launchTemplate?.name,
    Version: group.launchTemplate?.version,
  },
  Instances: group.instances.map((instance) => ({
    InstanceId: instance.id,
    InstanceType: instance.type,
    AvailabilityZone: instance.zone,
    LifecycleState: instance.lifecycleState as 'InService',
    HealthStatus: instance.healthy ? 'Healthy' : 'Unhealthy',
    ProtectedFromScaleIn: instance.protectedFromScaleIn,
  })),
  SuspendedProcesses: group.suspendedProcesses.map((ProcessName) => ({ ProcessName })),
  NewInstancesProtectedFromScaleIn: group.newInstancesProtected,
});

export const rawVersion = (version: LaunchTemplateVersion): RawVersion => ({
  LaunchTemplateId: version.id,
  LaunchTemplateName: version.name,
  VersionNumber: version.version,
  DefaultVersion: version.isDefault,
  LaunchTemplateData: {
    InstanceType: version.instanceType as 'm5.large',
    BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: version.rootVolumeGiB } }],
  },
});

export const rawType = (type: InstanceType): InstanceTypeInfo => ({
  InstanceType: type.name as 'm5.large',
  VCpuInfo: { DefaultVCpus: type.vcpu },
  MemoryInfo: { SizeInMiB: type.memoryMiB },
  ProcessorInfo: { SupportedArchitectures: [type.architecture === 'arm64' ? 'arm64' : 'x86_64'] },
  NetworkInfo: {
    MaximumNetworkInterfaces: type.maxNetworkInterfaces,
    Ipv4AddressesPerInterface: type.ipv4PerInterface,
  },
  BareMetal: type.bareMetal,
});

const statusCodes = { succeeded: 'Successful', failed: 'Failed', underWay: 'InProgress' } as const;

export const rawActivity = ({ id, group, startMs, status, message }: ScalingActivity) => ({
  ActivityId: id,
  AutoScalingGroupName: group,
  Description: 'Launching a new EC2 instance',
  Cause: 'a difference between desired and actual capacity',
  StartTime: new Date(startMs),
  StatusCode: statusCodes[status],
  StatusMessage: message,
});
