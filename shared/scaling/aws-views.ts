/*
 * What AWS says of groups, templates and types, as plain JSON data (journalled and replayed).
 * Parsed from the output of `aws autoscaling describe-auto-scaling-groups`,
 * `aws ec2 describe-launch-template-versions` and `aws ec2 describe-instance-types`, or from the same
 * answers of the SDK.
 */

import type { JsonObject } from '#cluster/json.ts';

export interface LaunchTemplateRef {
  readonly id?: string;
  readonly name?: string;
  /** A number, `$Latest` or `$Default`. */
  readonly version: string;
}

export interface GroupInstance {
  readonly id: string;
  readonly zone: string;
  readonly type?: string;
  /** `InService`, `Pending`, `Pending:Wait`, `Terminating`, `Warmed:Stopped`, `Standby`, … */
  readonly lifecycleState: string;
  readonly healthy: boolean;
  readonly protectedFromScaleIn: boolean;
  /** What it was launched from, with the version's number. */
  readonly launchTemplate?: LaunchTemplateRef;
  /** Units of the group's desired capacity that it is, where the group has weights. Absent: 1. */
  readonly weight?: number;
}

/** InstanceRequirements as AWS writes them; all that is done with them is to ask AWS. */
export type RequiredAttributes = JsonObject;

export interface InstanceOverride {
  readonly instanceType?: string;
  /** Set where the override names attributes instead of a type. */
  readonly byAttributes: boolean;
  readonly requirements?: RequiredAttributes;
  /** Units of desired capacity that an instance of the type counts for (WeightedCapacity). Absent: 1. */
  readonly weight?: number;
  readonly launchTemplate?: LaunchTemplateRef;
}

/** Which instances of a mixed-instances policy are On-Demand; all others are Spot. */
export interface InstancesDistribution {
  /** So many units of desired capacity to begin with. */
  readonly onDemandBase: number;
  /** And of those above, so many of a hundred. */
  readonly onDemandPercentAbove: number;
}

export interface AutoScalingGroup {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly desired: number;
  readonly zones: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly launchTemplate?: LaunchTemplateRef;
  readonly launchConfigurationName?: string;
  /** Of a mixed-instances policy; empty where there is none. */
  readonly overrides: readonly InstanceOverride[];
  /** Of a mixed-instances policy. Absent: it has none, or does not say. */
  readonly distribution?: InstancesDistribution;
  readonly instances: readonly GroupInstance[];
  readonly suspendedProcesses: readonly string[];
  readonly newInstancesProtected: boolean;
  /** Instances that wait, warmed up, to be taken first when desired capacity rises. Absent: it has no warm pool. */
  readonly warmPool?: WarmPool;
  /** What sizes count: `vcpu` or `memory-mib`. Absent: `units`, which are instances or their weights. */
  readonly desiredCapacityType?: string;
}

export interface WarmPool {
  /** How many wait there now; they are no part of desired capacity. */
  readonly size: number;
  /** `Stopped`, `Running`, `Hibernated`. */
  readonly state: string;
}

export interface LaunchTemplateVersion {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly isDefault: boolean;
  readonly instanceType?: string;
  /** Set where the template names attributes instead of a type. */
  readonly byAttributes: boolean;
  readonly requirements?: RequiredAttributes;
  readonly imageId?: string;
  /** Tells versions apart whose user data differ, and nothing of what is in it. Absent: none is given. */
  readonly userDataHash?: string;
  /** Size of the root volume, where the template gives it. */
  readonly rootVolumeGiB?: number;
}

export interface InstanceType {
  readonly name: string;
  readonly vcpu: number;
  readonly memoryMiB: number;
  /** Kubernetes' names: `amd64`, `arm64`. */
  readonly architecture: string;
  readonly maxNetworkInterfaces: number;
  readonly ipv4PerInterface: number;
  /** Instance store in 10^9 bytes, all its disks together. Absent: none. */
  readonly instanceStoreGB?: number;
  /** EBS volumes that it takes beside its root volume. Absent: not known. */
  readonly maxDataVolumes?: number;
  /** Extended resources that its devices give: `nvidia.com/gpu`. */
  readonly devices: Readonly<Record<string, number>>;
  readonly bareMetal: boolean;
}

/** The types that AWS may launch in a group whose types are chosen by attributes, sorted. */
export interface TypesByAttributes {
  readonly group: string;
  readonly types: readonly string[];
}

/** One launch that Auto Scaling began, as DescribeScalingActivities tells it. */
export interface ScalingActivity {
  readonly id: string;
  readonly group: string;
  readonly startMs: number;
  /** When it came to its end; what failed late did not fail when it began. */
  readonly endMs?: number;
  readonly status: 'succeeded' | 'failed' | 'underWay';
  /** AWS's own words of a failure. */
  readonly message?: string;
}

/** An instance that a Node of this cluster claims to be and that a group of another cluster has. */
export interface ForeignInstance {
  readonly id: string;
  readonly group: string;
  /** The cluster whose discovery tag the group carries. */
  readonly cluster: string;
}

/** Everything read of one cluster's node groups in one look. */
export interface NodeGroupsView {
  readonly region: string;
  readonly groups: readonly AutoScalingGroup[];
  readonly launchTemplates: readonly LaunchTemplateVersion[];
  readonly instanceTypes: readonly InstanceType[];
  /** Of groups whose types are chosen by attributes, by name. Absent: there is none. */
  readonly typesByAttributes?: readonly TypesByAttributes[];
  /** The newest launches of the groups that miss instances, newest first by group. Absent: none was asked for. */
  readonly launches?: readonly ScalingActivity[];
  /** Instances that Nodes claim and that are another cluster's. Absent: none was asked for. */
  readonly foreign?: readonly ForeignInstance[];
}
