import { type AutoScalingClient, SetDesiredCapacityCommand } from '@aws-sdk/client-auto-scaling';
import type { GroupCapacity, NodeGroups } from '#ports/node-groups.ts';
import { PortError } from '#ports/port-error.ts';
import type { AutoScalingGroup, LaunchTemplateVersion } from '#scaling/aws-views.ts';
import { belongsToCluster } from '#scaling/discovery.ts';
import { templateOf } from '#scaling/launch-choices.ts';
import { readAwsObjects } from '#scaling/read-aws-objects.ts';
import { describeGroupsByName, describeGroupsByTags } from './auto-scaling-groups.ts';
import { describeLaunches } from './auto-scaling-launches.ts';
import { calling } from './aws-error.ts';
import type {
  InstanceRequirementsCatalogue,
  RequirementsRequest,
} from './ec2-instance-requirements.ts';
import type { InstanceTypeCatalogue } from './ec2-instance-types.ts';
import type { TemplateRequest } from './ec2-launch-templates.ts';
import type { ForeignInstances } from './foreign-instances.ts';
import type { LaunchTemplateCatalogue } from './launch-template-catalogue.ts';

export interface NodeGroupsOptions {
  readonly autoScaling: AutoScalingClient;
  /**
   * Sends each call once (`singleAttempt`). A raise that took effect although its answer was lost must not be sent
   * again by itself: meanwhile somebody else may have raised the group further, and it would be lowered.
   */
  readonly raising: AutoScalingClient;
  /** Tags that a group must carry; an empty value accepts any. */
  readonly discoveryTags: Readonly<Record<string, string>>;
  /** Of the account and region; keep one for the life of the process, so that types are asked for once. */
  readonly instanceTypes: InstanceTypeCatalogue;
  /** As `instanceTypes`. */
  readonly launchTemplates: LaunchTemplateCatalogue;
  /** As `instanceTypes`. */
  readonly requirements: InstanceRequirementsCatalogue;
  /** Of the cluster; keep one for the life of the process. */
  readonly foreign: ForeignInstances;
}

/**
 * Auto Scaling groups with the launch templates and instance types that they name. A template or type that does not
 * exist is a problem told, and its group stays in the view; what could not be asked (throttling, no
 * permission) fails the look, since unknown is never "gone".
 */
export function autoScalingNodeGroups(options: NodeGroupsOptions): NodeGroups {
  const {
    autoScaling,
    raising,
    discoveryTags,
    instanceTypes,
    launchTemplates,
    requirements,
    foreign,
  } = options;
  return {
    async discover() {
      const raw = await describeGroupsByTags(autoScaling, discoveryTags);
      const read = readAwsObjects([{ content: { AutoScalingGroups: raw } }]);
      // Looked at again: an endpoint that overlooks a filter must not hand over another's groups.
      const groups = read.groups.filter((group) => belongsToCluster(group, discoveryTags));
      const templates = await launchTemplates.find(templatesNamedBy(groups));
      const byAttributes = await requirements.find(requirementsOf(groups, templates.versions));
      const types = await instanceTypes.find([
        ...typesNamedBy(groups, templates.versions),
        ...byAttributes.flatMap((found) => found.types),
      ]);
      return {
        view: {
          region: await autoScaling.config.region(),
          groups: groups.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
          launchTemplates: templates.versions,
          instanceTypes: types.instanceTypes,
          ...(byAttributes.length === 0 ? {} : { typesByAttributes: byAttributes }),
        },
        problems: [...read.problems, ...templates.problems, ...types.problems],
      };
    },

    async capacity(group): Promise<GroupCapacity | undefined> {
      const [raw] = await describeGroupsByName(autoScaling, [group]);
      if (raw === undefined) return undefined;
      const [read] = readAwsObjects([{ content: { AutoScalingGroups: [raw] } }]).groups;
      if (read === undefined) throw new PortError('invalid', `${group} cannot be read`);
      const { min, max, desired, instances, newInstancesProtected } = read;
      return { min, max, desired, instances, newInstancesProtected };
    },

    launches: (group) => describeLaunches(autoScaling, group),

    foreign: (instanceIds) => foreign.find(instanceIds),

    async setDesiredCapacity(group, desired): Promise<void> {
      const command = new SetDesiredCapacityCommand({
        AutoScalingGroupName: group,
        DesiredCapacity: desired,
        // A cooldown is meant for scaling policies; pods are waiting now.
        HonorCooldown: false,
      });
      await calling(`SetDesiredCapacity (${group} to ${desired})`, () => raising.send(command));
    },
  };
}

function templatesNamedBy(groups: readonly AutoScalingGroup[]): readonly TemplateRequest[] {
  return groups.flatMap((group) =>
    [group.launchTemplate, ...group.overrides.map((override) => override.launchTemplate)]
      .filter((template) => template !== undefined)
      .map((template) => ({ template, group: group.name })),
  );
}

function typesNamedBy(
  groups: readonly AutoScalingGroup[],
  templates: readonly LaunchTemplateVersion[],
): readonly string[] {
  const names = [
    ...templates.map((template) => template.instanceType),
    ...groups.flatMap((group) => group.overrides.map((override) => override.instanceType)),
    // Attributes may have chosen types that nobody names.
    ...groups.flatMap((group) => group.instances.map((instance) => instance.type)),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** What groups require instead of naming a type, with the image that it is for. */
function requirementsOf(
  groups: readonly AutoScalingGroup[],
  templates: readonly LaunchTemplateVersion[],
): readonly RequirementsRequest[] {
  return groups.flatMap(({ name, launchTemplate, overrides }) =>
    (overrides.length === 0 ? [undefined] : overrides).flatMap((override) => {
      const ref = override?.launchTemplate ?? launchTemplate;
      const template = ref === undefined ? undefined : templateOf(ref, templates);
      const requirements =
        override?.requirements ??
        (override?.instanceType === undefined ? template?.requirements : undefined);
      if (requirements === undefined) return [];
      const { imageId } = template ?? {};
      return [{ group: name, requirements, ...(imageId === undefined ? {} : { imageId }) }];
    }),
  );
}
