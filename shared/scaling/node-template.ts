import type { Taint } from '#cluster/constraints.ts';
import { compareText } from '#cluster/order.ts';
import { setOwn } from '#cluster/own-record.ts';
import type { Problem } from '#cluster/problem.ts';
import { maxResources, type Resources } from '#cluster/resources.ts';
import { allocatable, defaultRootVolumeGiB, type NodeAmounts } from '#kubelet/allocatable.ts';
import { maxPodsOf } from '#kubelet/max-pods.ts';
import type { KubeletPolicy } from '#kubelet/policy.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { AutoScalingGroup, InstanceType, NodeGroupsView } from './aws-views.ts';
import { unitsPerNode, type WeightedMachine } from './capacity-units.ts';
import type { Reason } from './decision.ts';
import { groupPolicyOf, kubeletPolicyOf, startLimitOf } from './group-policy.ts';
import { readGroupTags } from './group-tags.ts';
import { type LaunchChoice, launchChoicesOf } from './launch-choices.ts';
import { learnAmounts, promisedResources } from './learned.ts';
import { type DriversOf, driversOfType } from './learned-drivers.ts';
import type { LedgerEntry, RememberedAmounts } from './ledger.ts';
import { instanceTypeOf, type LiveNode } from './match-nodes.ts';
import type { ScalingPolicy } from './policy.ts';
import { amountsToRemember, bootOfInstance, rememberedAmounts } from './remembered-amounts.ts';
import { templateLabels } from './template-labels.ts';
import { devicesOf } from './usable.ts';

/** A node as AWS may launch it in a group: one for each zone and instance type. */
export interface GroupTemplate {
  readonly zone: string;
  readonly instanceType: string;
  /** Units of desired capacity that it counts for; 1 where the group has no weights. */
  readonly weight: number;
  /** Labels, taints and allocatable; the name is a placeholder that no Node can have. */
  readonly node: NodeTemplate;
  readonly capacity: Resources;
}

export interface GroupTemplates {
  /** By zone, then type; empty where the group's nodes cannot be foretold. */
  readonly templates: readonly GroupTemplate[];
  /** Why the group must not be raised. Templates may be there all the same (for nodes on their way). */
  readonly blocked?: Reason;
  /** By instance type: extended resources that a node must show before it is usable. */
  readonly promised: ReadonlyMap<string, readonly string[]>;
  /** By how much desired capacity rises for one more node; 1 where it counts nodes. */
  readonly unitsPerNode: number;
  /** By instance type: what usable nodes show that is worth remembering. */
  readonly learned: ReadonlyMap<string, RememberedAmounts>;
  /** What was assumed or learned, for people. */
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

export interface TemplateContext {
  readonly aws: Pick<
    NodeGroupsView,
    'region' | 'launchTemplates' | 'instanceTypes' | 'typesByAttributes'
  >;
  readonly policy: ScalingPolicy;
  readonly clusterRunsVpcCni: boolean;
  /** Nodes of this group. */
  readonly live: readonly LiveNode[];
  /** What is remembered of nodes that are gone; absent: nothing. */
  readonly ledger?: readonly LedgerEntry[];
  /** What CSI drivers are known to say; absent: nothing. */
  readonly driversOf?: DriversOf;
  readonly nowMs: number;
}

/**
 * The nodes that a group may grow by, as a function of what is there now: a changed tag counts at the next look.
 * Amounts are those of the newest usable node of the same group and type where there is one; else those remembered of
 * one that came up from the same image and user data; else computed. Resources of the policy and then of tags stand
 * above all of them.
 */
export const buildTemplates = (
  group: AutoScalingGroup,
  context: TemplateContext,
): GroupTemplates => {
  const tags = readGroupTags(group);
  const refuse = (blocked: Reason): GroupTemplates => ({
    templates: [],
    blocked,
    promised: new Map(),
    unitsPerNode: 1,
    learned: new Map(),
    notes: [],
    problems: tags.problems,
  });
  if (tags.unusable !== undefined) {
    const { code, message } = tags.unusable;
    return refuse({ group: group.name, code, message });
  }
  const launch = launchChoicesOf(group, context.aws);
  if ('blocked' in launch) return refuse(launch.blocked);
  if (group.zones.length === 0) {
    return refuse({
      group: group.name,
      code: 'noZone',
      message: 'it has no zone: give it subnets',
    });
  }

  const said = groupPolicyOf(context.policy, group.name);
  const overrides = { ...said?.resources, ...tags.resources };
  const taints = mergeTaints(said?.taints ?? [], tags.taints);
  const promised = new Map<string, readonly string[]>();
  const notes: string[] = [];
  const machines: WeightedMachine[] = [];
  const learned = new Map<string, RememberedAmounts>();
  const templates: GroupTemplate[] = [];
  for (const choice of launch.choices) {
    const amounts = amountsOf(group, { choice, overrides, context });
    if ('blocked' in amounts) return refuse(amounts.blocked);
    promised.set(choice.type.name, amounts.promised);
    if (amounts.learned !== undefined) learned.set(choice.type.name, amounts.learned);
    notes.push(...amounts.notes);
    machines.push({ weight: choice.weight, allocatable: amounts.allocatable });
    const csi = context.driversOf?.(group.name, choice.type.name) ?? driversOfType(choice.type);
    for (const zone of group.zones) {
      const name = `group/${group.name}/${zone}/${choice.type.name}/new`;
      const identity = {
        name,
        zone,
        region: context.aws.region,
        architecture: choice.type.architecture,
        instanceType: choice.type.name,
      };
      const labels = templateLabels(identity, [said?.labels ?? {}, tags.labels]);
      templates.push({
        zone,
        instanceType: choice.type.name,
        weight: choice.weight,
        node: {
          name,
          labels,
          taints,
          unschedulable: false,
          allocatable: amounts.allocatable,
          ...(csi === undefined ? {} : { csi }),
        },
        capacity: amounts.capacity,
      });
    }
  }
  return {
    templates: templates.sort(
      (a, b) => compareText(a.zone, b.zone) || compareText(a.instanceType, b.instanceType),
    ),
    ...(launchSuspended(group) ? { blocked: suspendedReason(group) } : {}),
    promised,
    unitsPerNode: unitsPerNode(machines),
    learned,
    notes,
    problems: tags.problems,
  };
};

/** Whether AWS launches nothing in the group, by somebody's will. */
export const launchSuspended = (group: AutoScalingGroup): boolean =>
  group.suspendedProcesses.includes('Launch');

const suspendedReason = (group: AutoScalingGroup): Reason => ({
  group: group.name,
  code: 'launchSuspended',
  message: 'its Launch process is suspended: resume it (aws autoscaling resume-processes)',
});

/** Taints of the policy, save where a tag has one of the same key. */
const mergeTaints = (policy: readonly Taint[], tags: readonly Taint[]): readonly Taint[] => [
  ...policy.filter(({ key }) => !tags.some((tag) => tag.key === key)),
  ...tags,
];

interface Amounts extends NodeAmounts {
  /** To be remembered. */
  readonly learned?: RememberedAmounts;
  readonly promised: readonly string[];
  readonly notes: readonly string[];
}

interface AmountsQuestion {
  readonly choice: LaunchChoice;
  readonly overrides: Resources;
  readonly context: TemplateContext;
}

const amountsOf = (
  group: AutoScalingGroup,
  { choice, overrides, context }: AmountsQuestion,
): Amounts | { readonly blocked: Reason } => {
  const { type, rootVolumeGiB } = choice;
  const { policy } = context;
  const kubelet = kubeletPolicyOf(policy, group.name);
  const maxPods = maxPodsOf(kubelet.maxPods, type, context.clusterRunsVpcCni);
  if (maxPods === undefined) {
    return {
      blocked: {
        group: group.name,
        code: 'networkLimitsUnknown',
        message: `NetworkInfo of ${type.name} is missing, which gives its pods per node: add it, or set kubelet.maxPods for the group`,
      },
    };
  }
  const computed = allocatable({
    machine: type,
    maxPods,
    policy: kubelet,
    ...(rootVolumeGiB === undefined ? {} : { rootVolumeGiB }),
  });
  const sameType = context.live.filter((live) => instanceTypeOf(live) === type.name);
  const declared = overlay(computed.allocatable, overrides);
  const promised = promisedResources(declared, sameType, {
    startupTaints: policy.startupTaints,
    startLimitSeconds: startLimitOf(policy, group),
    nowMs: context.nowMs,
  });
  const learned = learnAmounts(sameType, promised, policy.startupTaints);
  const remembered = rememberedAmounts(context.ledger ?? [], group.name, {
    type: type.name,
    boot: choice.boot,
  });
  const known = learned ?? remembered;
  const base = known === undefined ? computed : withDevices(known, computed);
  const boot = bootOfInstance(learned?.launchTemplate, context.aws.launchTemplates);
  return {
    ...(learned === undefined || boot === undefined
      ? {}
      : { learned: amountsToRemember(learned, boot) }),
    capacity: overlay(base.capacity, overrides),
    allocatable: overlay(base.allocatable, overrides),
    promised,
    notes: [
      ...(learned === undefined
        ? []
        : [`${type.name}: allocatable as on ${learned.from}, its newest usable node`]),
      ...(learned !== undefined || remembered === undefined
        ? []
        : [
            `${type.name}: allocatable as it was on ${remembered.from}, which came up from the same image`,
          ]),
      ...(known === undefined && rootVolumeGiB === undefined && !onInstanceStore(kubelet, type)
        ? [`${type.name}: no root volume in the launch template, ${defaultRootVolumeGiB} GiB taken`]
        : []),
    ],
  };
};

const onInstanceStore = (kubelet: KubeletPolicy, { instanceStoreGB = 0 }: InstanceType): boolean =>
  kubelet.instanceStorePolicy === 'RAID0' && instanceStoreGB > 0;

/** Nodes show fewer devices than the type has where one is sick, more where they are shared. */
const withDevices = (learned: NodeAmounts, computed: NodeAmounts): NodeAmounts => ({
  capacity: maxResources(learned.capacity, devicesOf(computed.capacity)),
  allocatable: maxResources(learned.allocatable, devicesOf(computed.allocatable)),
});

const overlay = (amounts: Resources, above: Resources): Resources => {
  const result: Record<string, number> = { ...amounts };
  for (const [name, amount] of Object.entries(above)) setOwn(result, name, amount);
  return result;
};
