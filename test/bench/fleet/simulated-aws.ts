import {
  type AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  DescribeScalingActivitiesCommand,
  SetDesiredCapacityCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  DescribeInstanceTypesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import { instanceTypes } from '#world/instance-types.ts';
import type { World } from '#world/world.ts';
import type { ApiMeter } from './api-meter.ts';
import { rawActivity, rawGroup, rawType, rawVersion } from './aws-answers.ts';

/** The clients of one account and region: the SDK's, as far as the adapters of node groups call them. */
export interface SimulatedClients {
  readonly autoScaling: AutoScalingClient;
  readonly ec2: EC2Client;
}

/**
 * An account that answers from the worlds of its clusters. Every call is metered; a throttled one fails at
 * once, although the SDK would send it again: the figures are those of an unkind day.
 *
 * @param worldOf finds the world that a group or a launch template is in, by the cluster's name in it.
 */
export const simulatedClients = (
  meter: ApiMeter,
  account: string,
  worldOf: (cluster: string) => World,
): SimulatedClients => {
  const config = { region: async () => 'us-east-1' };
  const ofGroup = (group: string): World => worldOf(clusterOf(group));

  const autoScaling = async (command: unknown): Promise<unknown> => {
    if (command instanceof DescribeAutoScalingGroupsCommand) {
      meter.call(account, 'autoscaling:DescribeAutoScalingGroups');
      const { AutoScalingGroupNames: names, Filters: filters = [] } = command.input;
      if (names !== undefined) {
        const groups = names.flatMap((name) => ofGroup(name).group(name) ?? []);
        return { AutoScalingGroups: groups.map(rawGroup) };
      }
      const [, cluster = ''] = /\/([^/]+)$/.exec(filters.map(tagKeyOf).find(isOwn) ?? '') ?? [];
      return { AutoScalingGroups: worldOf(cluster).groups().groups.map(rawGroup) };
    }
    if (command instanceof DescribeScalingActivitiesCommand) {
      meter.call(account, 'autoscaling:DescribeScalingActivities');
      const { AutoScalingGroupName: group = '' } = command.input;
      return { Activities: ofGroup(group).launches(group).map(rawActivity) };
    }
    if (command instanceof SetDesiredCapacityCommand) {
      meter.call(account, 'autoscaling:SetDesiredCapacity');
      const { AutoScalingGroupName: group = '', DesiredCapacity: desired = 0 } = command.input;
      const said = ofGroup(group).setDesiredCapacity(group, desired);
      if (said !== 'done') throw new Error(`SetDesiredCapacity ${group}: ${said}`);
      return {};
    }
    throw new Error('a call that this account does not know');
  };

  const ec2 = async (command: unknown): Promise<unknown> => {
    if (command instanceof DescribeLaunchTemplateVersionsCommand) {
      meter.call(account, 'ec2:DescribeLaunchTemplateVersions');
      const { LaunchTemplateId: id = '' } = command.input;
      const { launchTemplates } = ofGroup(id.replace(/^lt-/, '')).groups();
      const found = launchTemplates.filter((template) => template.id === id);
      return { LaunchTemplateVersions: found.map(rawVersion) };
    }
    if (command instanceof DescribeInstanceTypesCommand) {
      meter.call(account, 'ec2:DescribeInstanceTypes');
      const names = command.input.InstanceTypes ?? [];
      return { InstanceTypes: names.flatMap((name) => instanceTypes.get(name) ?? []).map(rawType) };
    }
    throw new Error('a call that this account does not know');
  };

  return {
    autoScaling: { config, send: autoScaling } as unknown as AutoScalingClient,
    ec2: { config, send: ec2 } as unknown as EC2Client,
  };
};

/** Groups of the fleet are named `<cluster>.<group>`. */
const clusterOf = (group: string): string => group.split('.')[0] ?? '';

interface Filter {
  readonly Name?: string | undefined;
  readonly Values?: readonly string[] | undefined;
}

/** `tag-key` with the key as its value, or `tag:<key>`. */
const tagKeyOf = ({ Name = '', Values = [] }: Filter): string =>
  Name === 'tag-key' ? (Values[0] ?? '') : Name.replace(/^tag:/, '');

const isOwn = (key: string): boolean => !key.endsWith('/enabled');
