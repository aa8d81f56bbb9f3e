import { formatAmounts, withUnit } from '#cluster/format-amount.ts';
import { amountIn } from '#cluster/resources.ts';
import type { FitReason, FitReasonCode } from '#scheduling/filters/filter.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { countsUnits } from './capacity-units.ts';
import type { Limits } from './choosing/limits.ts';
import { roomForNodes } from './coming.ts';
import type { Reason } from './decision.ts';
import type { GroupState } from './group-state.ts';
import { type ProbedTemplate, withoutOthers } from './planning/node-kind.ts';
import type { PlannedWorld } from './planning/planned-world.ts';

/** The most telling first: whom the nodes are for, then what they lack, then who else is there. */
const tellingFirst: readonly FitReasonCode[] = [
  'nodeName',
  'nodeSelector',
  'nodeAffinity',
  'untoleratedTaint',
  'unschedulable',
  'volumeZone',
  'volumeBinding',
  'insufficientResource',
  'tooManyPods',
  'hostPort',
  'volumeLimit',
  'volumeConflict',
  'topologySpread',
  'podAffinity',
  'podAntiAffinity',
  'existingAntiAffinity',
];

export interface StuckContext {
  readonly groups: readonly GroupState[];
  /** Nodes added by group. */
  readonly added: ReadonlyMap<string, number>;
  readonly limits: Limits;
  /** The cluster with all that is planned. */
  readonly world: PlannedWorld;
}

/** For every group the one reason that helps most, by group name; or the one that holds wherever the pod goes. */
export const stuckReasons = (pod: StatePod, context: StuckContext): readonly Reason[] => {
  const { groups, world } = context;
  const { rejected } = world.state.questionOf(pod);
  if (rejected !== undefined) return [{ code: rejected.code, message: rejected.message }];
  return groups.length === 0
    ? [
        {
          code: 'noGroups',
          message: 'the cluster has no node group: tag its Auto Scaling groups for discovery',
        },
      ]
    : groups.map((state) => reasonOf(pod, state, context));
};

const reasonOf = (
  pod: StatePod,
  state: GroupState,
  { added, limits, world }: StuckContext,
): Reason => {
  const { group, templates } = state;
  const reason = (code: string, message: string): Reason => ({ group: group.name, code, message });
  if (templates.blocked !== undefined) return templates.blocked;

  const tried = state.probed.map((template) => judge(pod, template, state));
  const refusing = tried.filter(({ refusal }) => refusal !== undefined);
  const told = refusing.length === tried.length ? roomiest(pod, refusing, state) : refusing[0];
  if (told?.refusal !== undefined) {
    const message = messageOf(told.refusal, { pod, state, judged: told });
    if (refusing.length === tried.length) return reason(told.refusal.code, message);
    return notGuaranteed(state, { tried, message });
  }
  const others = refusedForOthers(pod, state, world);
  if (others !== undefined) return reason(others.code, `a new node there: ${others.message}`);
  if (state.blocked !== undefined) return state.blocked;
  const more = added.get(group.name) ?? 0;
  if (roomForNodes(state.coming, group.max) <= more) {
    const { unitsPerNode } = state.coming;
    const units = countsUnits(group)
      ? `units of capacity, of which a new node takes ${unitsPerNode}`
      : 'nodes';
    return reason('groupAtMaximum', `it is at its maximum of ${group.max} ${units}: raise MaxSize`);
  }
  const stop = limits.stopOf(state, added);
  if (stop !== undefined) return stop;
  if (more === 0) {
    return reason(
      'helpsNoMore',
      'with nodes of it added no more pods would run, since others would then lose their place: the next look tries again',
    );
  }
  return reason(
    'decisionLimit',
    `one decision adds at most ${more} nodes to it: the rest follows at the next look`,
  );
};

const mostTelling = (reasons: readonly FitReason[]): FitReason | undefined =>
  [...reasons].sort((a, b) => tellingFirst.indexOf(a.code) - tellingFirst.indexOf(b.code))[0];

/** Why the group's next node would not take the pod, beside all the others that are planned. */
const refusedForOthers = (
  pod: StatePod,
  state: GroupState,
  world: PlannedWorld,
): FitReason | undefined => {
  const { node } = world.add(state);
  const refusal = mostTelling(world.state.questionOf(pod).explainAll(node));
  world.removeNewest();
  return refusal;
};

interface Judged {
  readonly probed: ProbedTemplate;
  readonly refusal?: FitReason;
}

const judge = (pod: StatePod, probed: ProbedTemplate, { probe }: GroupState): Judged => {
  const refusal = mostTelling(probe.questionOf(withoutOthers(pod)).explainAll(probed.node));
  return refusal === undefined ? { probed } : { probed, refusal };
};

/** Of templates that are all too small, the one that has most of what is lacking; else the first. */
const roomiest = (
  pod: StatePod,
  judged: readonly Judged[],
  { probe }: GroupState,
): Judged | undefined => {
  const [first] = judged;
  if (judged.some(({ refusal }) => refusal?.code !== 'insufficientResource')) return first;
  const lacking = Object.keys(pod.requests)
    .sort()
    .find((name) =>
      judged.every(({ probed }) => amountIn(pod.requests, name) > probe.free(probed.node, name)),
    );
  if (lacking === undefined) return first;
  return judged.reduce<Judged | undefined>(
    (most, one) =>
      most === undefined ||
      probe.free(one.probed.node, lacking) > probe.free(most.probed.node, lacking)
        ? one
        : most,
    undefined,
  );
};

interface Telling {
  readonly pod: StatePod;
  readonly state: GroupState;
  readonly judged: Judged;
}

const messageOf = (refusal: FitReason, { pod, state, judged }: Telling): string => {
  const { template, node } = judged.probed;
  const type = template.instanceType;
  const free = (name: string): number => Math.max(state.probe.free(node, name), 0);
  const resource =
    refusal.code === 'insufficientResource'
      ? Object.keys(pod.requests)
          .sort()
          .find((name) => amountIn(pod.requests, name) > free(name))
      : undefined;
  if (resource === undefined) return `a new ${type}: ${refusal.message}`;
  const given = amountIn(template.node.allocatable, resource);
  const left = free(resource);
  const [needs = '', gives = '', offers = '', daemons = ''] = formatAmounts(resource, [
    amountIn(pod.requests, resource),
    given,
    left,
    given - state.probe.free(node, resource),
  ]).map((text) => withUnit(resource, text));
  if (given === 0) {
    return `Insufficient ${resource}: needs ${needs}, a new ${type} has none; tag the group k8s.io/cluster-autoscaler/node-template/resources/${resource} if it does`;
  }
  const types = new Set(state.probed.map((probed) => probed.template.instanceType));
  const who = types.size > 1 ? `its largest new node (${type})` : `a new ${type}`;
  const less = left === given ? '' : ` (${gives} allocatable, of which DaemonSets take ${daemons})`;
  const note =
    resource === 'ephemeral-storage'
      ? state.templates.notes.filter((text) => text.startsWith(`${type}: no root volume`))
      : [];
  const assumed = note.length === 0 ? '' : ` (${note[0]})`;
  return `Insufficient ${resource}: needs ${needs}, ${who} offers ${offers}${less}${assumed}`;
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
        .map(({ probed }) => probed.template[key]),
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
