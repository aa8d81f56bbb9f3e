import { compareText } from '#cluster/order.ts';
import { runsVpcCni } from '#kubelet/max-pods.ts';
import type { AutoScalingGroup } from './aws-views.ts';
import type { ScaleUpInput } from './decision.ts';
import { startLimitOf } from './group-policy.ts';
import { learnDrivers } from './learned-drivers.ts';
import { instanceTypeOf, type LiveNode, matchNodes } from './match-nodes.ts';
import { buildTemplates, type GroupTemplates } from './node-template.ts';
import { type Lack, lackOf } from './usable.ts';

/** A group with what new nodes of it are like, and the nodes that it has. */
export interface TemplatedGroup {
  readonly group: AutoScalingGroup;
  readonly templates: GroupTemplates;
  /** From launch to a usable node. */
  readonly startLimitSeconds: number;
  /** The group's Nodes by instance id. */
  readonly live: ReadonlyMap<string, LiveNode>;
  /** What one of them lacks to have come up, with all that its template promises. */
  lackOf(live: LiveNode): Lack | undefined;
}

/** Every group by name. Of the ledger only what is remembered of nodes that are gone plays a part. */
export const templatedGroupsOf = (
  input: Omit<ScaleUpInput, 'ledger'> & Partial<Pick<ScaleUpInput, 'ledger'>>,
): readonly TemplatedGroup[] => {
  const { snapshot, nodeGroups, policy, nowMs, ledger = [] } = input;
  const liveOf = matchNodes(nodeGroups.groups, snapshot.nodes);
  const clusterRunsVpcCni = runsVpcCni(snapshot.daemonSets);
  const driversOf = learnDrivers(liveOf, snapshot.csiNodes ?? []);
  return [...nodeGroups.groups]
    .sort((a, b) => compareText(a.name, b.name))
    .map((group) => {
      const live = liveOf.get(group.name) ?? new Map<string, LiveNode>();
      const context = { aws: nodeGroups, policy, clusterRunsVpcCni, ledger, driversOf, nowMs };
      const templates = buildTemplates(group, { ...context, live: [...live.values()] });
      return {
        group,
        templates,
        startLimitSeconds: startLimitOf(policy, group),
        live,
        lackOf: (one) =>
          lackOf(one.node, templates.promised.get(instanceTypeOf(one)) ?? [], policy.startupTaints),
      };
    });
};
