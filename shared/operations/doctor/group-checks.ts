import { counted } from '#cluster/counted.ts';
import { problemLine } from '#cluster/problem.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { AutoScalingGroup, NodeGroupsView } from '#scaling/aws-views.ts';
import { modeOfGroup } from '#scaling/group-policy.ts';
import { readGroupTags } from '#scaling/group-tags.ts';
import { templatedGroupsOf } from '#scaling/group-templates.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { type Check, fail, ok, warn } from './check.ts';

export interface CheckedGroups {
  readonly cluster: string;
  readonly policy: ScalingPolicy;
  readonly discoveryTags: Readonly<Record<string, string>>;
  readonly view: NodeGroupsView;
  /** Groups that carry some of the discovery tags and lack others. */
  readonly partlyTagged: readonly string[];
  /** Empty where the API server could not be read: then nothing is learnt of live nodes. */
  readonly snapshot: ClusterSnapshot;
  readonly nowMs: number;
}

const nodeTemplatePrefix = 'k8s.io/cluster-autoscaler/node-template/';
const knownTemplateTags = /^(label|taint|resources|autoscaling-options)\/./;

/** What can be said of a cluster's groups without asking anybody. */
export const checkGroups = (checked: CheckedGroups): readonly Check[] => {
  const { cluster, view, policy } = checked;
  const subject = `cluster ${cluster}`;
  const tags = Object.keys(checked.discoveryTags).join(', ');
  const groups = { check: 'groups', subject };
  const found =
    view.groups.length === 0
      ? fail(groups, 'no Auto Scaling group carries its discovery tags', `tag groups with ${tags}`)
      : ok(groups, `${counted(view.groups.length, 'group')} found by tags`);
  const partly = checked.partlyTagged.map((name) =>
    warn(
      { check: 'groupTags', subject: `group ${name}` },
      `carries some of the discovery tags of ${cluster}, not all: it is not used`,
      `tag it with ${tags}`,
    ),
  );
  const each = view.groups.flatMap((group) => groupChecks(group, policy));
  return [found, ...partly, ...templateChecks(checked), ...each, ...quietOk(subject, each)];
};

/** One line where there is nothing to say of any group. */
const quietOk = (subject: string, each: readonly Check[]): readonly Check[] =>
  (
    [
      ['groupTags', 'their tags can be read'],
      ['protection', 'new instances and those there are protected from scale-in'],
      ['azRebalance', 'AWS moves no instance between zones'],
      ['maximum', 'none is at its maximum'],
    ] as const
  ).flatMap(([check, message]) =>
    each.some((one) => one.check === check) ? [] : [ok({ check, subject }, message)],
  );

const groupChecks = (group: AutoScalingGroup, policy: ScalingPolicy): readonly Check[] => {
  const subject = `group ${group.name}`;
  const { name } = group;
  const checks: Check[] = [];
  const tags = { check: 'groupTags', subject };
  for (const problem of readGroupTags(group).problems) {
    checks.push(warn(tags, problem.message, 'mend the tag; it counts at the next look'));
  }
  for (const key of Object.keys(group.tags)) {
    const rest = key.startsWith(nodeTemplatePrefix) ? key.slice(nodeTemplatePrefix.length) : '';
    if (rest === '' || knownTemplateTags.test(rest)) continue;
    const remedy = `write ${nodeTemplatePrefix}label/…, taint/…, resources/… or autoscaling-options/…`;
    checks.push(warn(tags, `tag ${key} says nothing that Outrider knows`, remedy));
  }
  const protection = { check: 'protection', subject };
  const unprotected = group.instances.filter(({ protectedFromScaleIn }) => !protectedFromScaleIn);
  if (!group.newInstancesProtected) {
    checks.push(
      warn(
        protection,
        'new instances are not protected from scale-in: capacity that AWS cannot give is never taken back',
        `aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${name} --new-instances-protected-from-scale-in`,
      ),
    );
  } else if (unprotected.length > 0) {
    const ids = unprotected.slice(0, 3).map(({ id }) => id);
    checks.push(
      warn(
        protection,
        `${counted(unprotected.length, 'instance')} not protected from scale-in: AWS may take a node with pods`,
        `aws autoscaling set-instance-protection --auto-scaling-group-name ${name} --protected-from-scale-in --instance-ids ${ids.join(' ')}${unprotected.length > 3 ? ' …' : ''}`,
      ),
    );
  }
  if (group.zones.length > 1 && !group.suspendedProcesses.includes('AZRebalance')) {
    checks.push(
      warn(
        { check: 'azRebalance', subject },
        `has ${group.zones.length} zones and AZRebalance is not suspended: AWS moves instances without draining`,
        `aws autoscaling suspend-processes --auto-scaling-group-name ${name} --scaling-processes AZRebalance`,
      ),
    );
  }
  if (group.desired >= group.max && modeOfGroup(policy, name) === 'act') {
    checks.push(
      warn(
        { check: 'maximum', subject },
        `is at its maximum of ${group.max}`,
        'raise its MaxSize where it may grow',
      ),
    );
  }
  return checks;
};

/** Groups whose new nodes cannot be foretold (weights, attributes, a missing template) are blocked. */
const templateChecks = (checked: CheckedGroups): readonly Check[] => {
  const { cluster, snapshot, view, policy, nowMs } = checked;
  const subject = `cluster ${cluster}`;
  const states = templatedGroupsOf({ cluster, snapshot, nodeGroups: view, policy, nowMs });
  const blocked = states.flatMap(({ group, templates }) =>
    templates.blocked === undefined ? [] : [{ group, reason: templates.blocked }],
  );
  const checks = blocked.map(({ group, reason }) =>
    warn({ check: 'blocked', subject: `group ${group.name}` }, reason.message, undefined),
  );
  const about = { check: 'blocked', subject };
  if (states.length > 0 && blocked.length === states.length) {
    const message = 'every group is blocked: no node can be added';
    return [...checks, fail(about, message, 'mend what the warnings of the groups say')];
  }
  return checks.length > 0 ? checks : [ok(about, 'what their new nodes are like is known')];
};

/** Launch templates and types that could not be read, as the discovery told. */
export const discoveryProblems = (
  cluster: string,
  problems: readonly Parameters<typeof problemLine>[0][],
): readonly Check[] =>
  problems.map((problem) =>
    warn({ check: 'discovery', subject: `cluster ${cluster}` }, problemLine(problem)),
  );
