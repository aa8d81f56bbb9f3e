import { formatAmounts } from '#cluster/format-amount.ts';
import { amountIn } from '#cluster/resources.ts';
import { explainFit, type FitReason, type FitReasonCode } from '#scheduling/fit.ts';
import { freeAmount, type SchedulablePod, type SchedulingNode } from '#scheduling/node.ts';
import type { Reason } from './decision.ts';
import type { GroupState } from './group-state.ts';
import type { GroupTemplate } from './node-template.ts';

/** The most telling first: whom the nodes are for, then what they lack. */
const tellingFirst: readonly FitReasonCode[] = [
  'nodeSelector',
  'nodeAffinity',
  'untoleratedTaint',
  'unschedulable',
  'insufficientResource',
  'tooManyPods',
  'hostPort',
];

/** For every group the one reason that helps most, by group name. */
export const stuckReasons = (
  pod: SchedulablePod,
  groups: readonly GroupState[],
  added: ReadonlyMap<string, number>,
): readonly Reason[] =>
  groups.length === 0
    ? [
        {
          code: 'noGroups',
          message: 'the cluster has no node group: tag its Auto Scaling groups for discovery',
        },
      ]
    : groups.map((state) => reasonOf(pod, state, added.get(state.group.name) ?? 0));

const reasonOf = (pod: SchedulablePod, state: GroupState, added: number): Reason => {
  const { group, templates } = state;
  const reason = (code: string, message: string): Reason => ({ group: group.name, code, message });
  if (templates.blocked !== undefined) return templates.blocked;

  const tried = templates.templates.map((template, index) =>
    judge(pod, template, state.newNodes[index]),
  );
  const refusing = tried.filter(({ refusal }) => refusal !== undefined);
  const [first] = refusing;
  if (first?.refusal !== undefined) {
    const message = messageOf(first.refusal, { pod, state, judged: first });
    if (refusing.length === tried.length) return reason(first.refusal.code, message);
    return notGuaranteed(state, { tried, message });
  }
  if (state.blocked !== undefined) return state.blocked;
  if (group.max <= state.coming.expected + added) {
    return reason('groupAtMaximum', `it is at its maximum of ${group.max} nodes: raise MaxSize`);
  }
  return reason(
    'decisionLimit',
    `one decision adds at most ${added} nodes to it: the rest follows at the next look`,
  );
};

interface Judged {
  readonly template: GroupTemplate;
  readonly node?: SchedulingNode;
  readonly refusal?: FitReason;
}

const judge = (
  pod: SchedulablePod,
  template: GroupTemplate,
  node: SchedulingNode | undefined,
): Judged => {
  if (node === undefined) return { template };
  const [refusal] = [...explainFit(pod, node)].sort(
    (a, b) => tellingFirst.indexOf(a.code) - tellingFirst.indexOf(b.code),
  );
  return refusal === undefined ? { template, node } : { template, node, refusal };
};

interface Telling {
  readonly pod: SchedulablePod;
  readonly state: GroupState;
  readonly judged: Judged;
}

const messageOf = (refusal: FitReason, { pod, state, judged }: Telling): string => {
  const type = judged.template.instanceType;
  const node = judged.node;
  if (node === undefined || refusal.code !== 'insufficientResource') {
    return `a new ${type}: ${refusal.message}`;
  }
  const resource = Object.keys(pod.requests)
    .sort()
    .find((name) => amountIn(pod.requests, name) > Math.max(freeAmount(node, name), 0));
  if (resource === undefined) return `a new ${type}: ${refusal.message}`;
  const taken = node.requested.get(resource) ?? 0;
  const given = amountIn(node.allocatable, resource);
  const [needs = '', gives = '', daemons = ''] = formatAmounts(resource, [
    amountIn(pod.requests, resource),
    given,
    taken,
  ]);
  const less = taken === 0 ? '' : `, of which DaemonSets take ${daemons}`;
  const note =
    resource === 'ephemeral-storage'
      ? state.templates.notes.filter((text) => text.startsWith(`${type}: no root volume`))
      : [];
  const assumed = note.length === 0 ? '' : ` (${note[0]})`;
  return given === 0
    ? `Insufficient ${resource}: needs ${needs}, a new ${type} has none; tag the group k8s.io/cluster-autoscaler/node-template/resources/${resource} if it does`
    : `Insufficient ${resource}: needs ${needs}, a new ${type} gives ${gives}${less}${assumed}`;
};

interface Trial {
  readonly tried: readonly Judged[];
  readonly message: string;
}

/** Some of the group's nodes would do, but AWS chooses which one comes. */
const notGuaranteed = (state: GroupState, { tried, message }: Trial): Reason => {
  const valuesOf = (key: 'zone' | 'instanceType', refused: boolean): readonly string[] => [
    ...new Set(
      tried
        .filter(({ refusal }) => (refusal !== undefined) === refused)
        .map(({ template }) => template[key]),
    ),
  ];
  const byZone = valuesOf('zone', true).every((zone) => !valuesOf('zone', false).includes(zone));
  const key = byZone ? 'zone' : 'instanceType';
  const what = byZone ? 'zone' : 'instance type';
  return {
    group: state.group.name,
    code: byZone ? 'zoneNotGuaranteed' : 'instanceTypeNotGuaranteed',
    message: `only ${valuesOf(key, false).join(', ')} would do, but AWS chooses the ${what} and ${valuesOf(key, true).join(', ')} would not (${message}): use a group of one ${what}`,
  };
};
