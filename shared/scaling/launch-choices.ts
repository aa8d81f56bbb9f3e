import { compareText } from '#cluster/order.ts';
import { defaultRootVolumeGiB } from '#kubelet/allocatable.ts';
import type {
  AutoScalingGroup,
  InstanceOverride,
  InstanceType,
  LaunchTemplateRef,
  LaunchTemplateVersion,
  NodeGroupsView,
  TypesByAttributes,
} from './aws-views.ts';
import type { Reason } from './decision.ts';
import type { Boot } from './ledger.ts';
import { bootOf, sameBoot } from './remembered-amounts.ts';

/** One machine that AWS may launch in a group. */
export interface LaunchChoice {
  readonly type: InstanceType;
  /** Absent where the launch template does not give it. */
  readonly rootVolumeGiB?: number;
  /** Units of desired capacity that it counts for; 1 where the group has no weights. */
  readonly weight: number;
  /** What it comes up from; absent where that is not known, or is not the same in all cases. */
  readonly boot?: Boot;
}

export type LaunchChoices =
  | { readonly choices: readonly LaunchChoice[] }
  | { readonly blocked: Reason };

/** Every machine that AWS may launch in the group, by type name, or why that cannot be said. */
export const launchChoicesOf = (
  group: AutoScalingGroup,
  aws: Pick<NodeGroupsView, 'launchTemplates' | 'instanceTypes' | 'typesByAttributes'>,
): LaunchChoices => {
  const refuse = (code: string, message: string): LaunchChoices => ({
    blocked: { group: group.name, code, message },
  });
  if (group.launchTemplate === undefined) {
    return refuse(
      'noLaunchTemplate',
      group.launchConfigurationName === undefined
        ? 'it has no launch template: give it one'
        : `it uses the launch configuration ${group.launchConfigurationName}: move it to a launch template`,
    );
  }
  if (group.desiredCapacityType !== undefined) {
    return refuse(
      'desiredCapacityType',
      `its desired capacity counts ${group.desiredCapacityType}: set DesiredCapacityType to units`,
    );
  }

  const choices = new Map<string, LaunchChoice>();
  for (const override of group.overrides.length === 0 ? [undefined] : group.overrides) {
    const ref = override?.launchTemplate ?? group.launchTemplate;
    const template = templateOf(ref, aws.launchTemplates);
    if (template === undefined) {
      return refuse(
        'launchTemplateUnknown',
        `launch template ${ref.name ?? ref.id} version ${ref.version} is not among the input: add the output of ${describing(ref)}`,
      );
    }
    const names = typeNames({ group, override, template }, aws.typesByAttributes ?? []);
    if ('code' in names) return refuse(names.code, names.message);
    for (const name of names) {
      const type = aws.instanceTypes.find((candidate) => candidate.name === name);
      if (type === undefined) {
        return refuse(
          'instanceTypeUnknown',
          `instance type ${name} is not among the input: add the output of aws ec2 describe-instance-types --instance-types ${name}`,
        );
      }
      const choice = choiceOf(type, template, override?.weight ?? 1);
      choices.set(name, worse(choices.get(name), choice));
    }
  }
  return { choices: [...choices.values()].sort((a, b) => compareText(a.type.name, b.type.name)) };
};

interface Named {
  readonly group: AutoScalingGroup;
  readonly override: InstanceOverride | undefined;
  readonly template: LaunchTemplateVersion;
}

/** The types that an override, or the launch template alone, lets AWS take; or why they are not known. */
const typeNames = (
  { group, override, template }: Named,
  byAttributes: readonly TypesByAttributes[],
): readonly string[] | Pick<Reason, 'code' | 'message'> => {
  const isByAttributes =
    override?.byAttributes || (override?.instanceType === undefined && template.byAttributes);
  if (!isByAttributes) {
    const name = override?.instanceType ?? template.instanceType;
    return name === undefined
      ? {
          code: 'noInstanceType',
          message: `launch template ${template.name} version ${template.version} names no instance type: set one there or in overrides`,
        }
      : [name];
  }
  const found = byAttributes.find((each) => each.group === group.name);
  if (found === undefined) {
    return {
      code: 'instanceTypesNotAsked',
      message:
        'its instance types are chosen by attributes (InstanceRequirements), and which they are is not among the input: add {"GroupInstanceTypes": [{"AutoScalingGroupName": "…", "InstanceTypes": …}]} with the answer of aws ec2 get-instance-types-from-instance-requirements',
    };
  }
  return found.types.length > 0
    ? found.types
    : {
        code: 'noInstanceType',
        message:
          'no instance type meets its InstanceRequirements with the architecture of its image: loosen them',
      };
};

/** The command whose output has that version. A shell would take `$Latest` for a variable. */
const describing = ({ id, name, version }: LaunchTemplateRef): string => {
  const which = id === undefined ? `--launch-template-name ${name}` : `--launch-template-id ${id}`;
  const quoted = version.startsWith('$') ? `'${version}'` : version;
  return `aws ec2 describe-launch-template-versions ${which} --versions ${quoted}`;
};

const choiceOf = (
  type: InstanceType,
  template: LaunchTemplateVersion,
  weight: number,
): LaunchChoice => {
  const { rootVolumeGiB } = template;
  const boot = bootOf(template);
  return {
    type,
    weight,
    ...(rootVolumeGiB === undefined ? {} : { rootVolumeGiB }),
    ...(boot === undefined ? {} : { boot }),
  };
};

/** One type from two launch templates: the smaller disk and the greater weight are what may come. */
const worse = (known: LaunchChoice | undefined, choice: LaunchChoice): LaunchChoice => {
  if (known === undefined) return choice;
  const size = (one: LaunchChoice): number => one.rootVolumeGiB ?? defaultRootVolumeGiB;
  const { boot, ...smaller } = size(known) <= size(choice) ? known : choice;
  return {
    ...smaller,
    weight: Math.max(known.weight, choice.weight),
    ...(boot !== undefined && sameBoot(known.boot, choice.boot) ? { boot } : {}),
  };
};

/** The version meant: `$Latest` is the highest of those given, `$Default` the one marked as default. */
export const templateOf = (
  ref: LaunchTemplateRef,
  templates: readonly LaunchTemplateVersion[],
): LaunchTemplateVersion | undefined => {
  const versions = templates.filter((template) =>
    ref.id === undefined ? template.name === ref.name : template.id === ref.id,
  );
  if (ref.version === '$Default') return versions.find((version) => version.isDefault);
  if (ref.version !== '$Latest') {
    return versions.find((version) => String(version.version) === ref.version);
  }
  return versions.reduce<LaunchTemplateVersion | undefined>(
    (latest, version) =>
      latest === undefined || version.version > latest.version ? version : latest,
    undefined,
  );
};
