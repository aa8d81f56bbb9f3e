import type { FitReason } from '#scheduling/filters/filter.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { roomForNodes } from '../coming.ts';
import type { GroupState } from '../group-state.ts';
import type { GroupTemplate } from '../node-template.ts';
import { withoutOthers } from '../planning/node-kind.ts';
import type { Look } from './look.ts';

/** A group's next node, or a node that is there: somewhere a pod could run. */
export interface Site {
  readonly name: string;
  /** Absent of a node. */
  readonly group?: GroupState;
  /** What the node is like, or may be like where AWS chooses. */
  readonly templates: readonly NodeTemplate[];
  /** What is left of a resource there, whatever comes; not below 0. */
  free(resource: string): number;
  /** What refuses a pod there: the code of each rule, and of what keeps the group from being raised. */
  refusals(pod: StatePod): ReadonlySet<string>;
  /** Of a group: the templates that would take a pod, and those that would not. */
  divide(pod: StatePod): Divided;
}

export interface Divided {
  readonly good: readonly GroupTemplate[];
  readonly bad: readonly GroupTemplate[];
}

/** Codes of groups of which only some templates would do. */
export const notGuaranteedCodes = ['zoneNotGuaranteed', 'instanceTypeNotGuaranteed'] as const;

/** Groups, then nodes that offer room, each in the order of names. */
export const sitesOf = (look: Look): readonly Site[] => {
  const { groups, world } = look.context;
  return [
    ...groups.map((group) => groupSite(group, look)),
    ...world.existing.map((node) => nodeSite(node, look)),
  ];
};

/** How many sites would take the pod. */
export const countThatTake = (look: Look): number => {
  const { groups, world } = look.context;
  const question = world.state.questionOf(look.pod);
  const nodes = world.existing.filter((node) => question.passes(node)).length;
  const fitting = groups.filter(
    (group) => group.takes(look.pod) && groupSite(group, look).refusals(look.pod).size === 0,
  );
  return nodes + fitting.length;
};

const nodeSite = (node: number, { context }: Look): Site => {
  const { state } = context.world;
  return {
    name: state.nodeAt(node).name,
    templates: [state.nodeAt(node)],
    free: (resource) => Math.max(0, state.free(node, resource)),
    refusals: (pod) => codesOf(state.questionOf(pod).explainAll(node)),
    divide: () => ({ good: [], bad: [] }),
  };
};

const groupSite = (group: GroupState, { context }: Look): Site => {
  const { probed, probe } = group;
  const explained = (pod: StatePod) => {
    const question = probe.questionOf(withoutOthers(pod));
    return probed.map(({ template, node }) => ({ template, reasons: question.explainAll(node) }));
  };
  const divide = (pod: StatePod): Divided => {
    const all = explained(pod);
    const of = (refused: boolean) =>
      all.filter(({ reasons }) => reasons.length > 0 === refused).map(({ template }) => template);
    return { good: of(false), bad: of(true) };
  };
  return {
    name: group.group.name,
    group,
    templates: probed.map(({ template }) => template.node),
    free: (resource) =>
      probed.length === 0
        ? 0
        : probed.reduce(
            (least, { node }) => Math.min(least, Math.max(0, probe.free(node, resource))),
            Number.MAX_SAFE_INTEGER,
          ),
    refusals: (pod) => {
      const { good, bad } = divide(pod);
      const ofTemplates =
        good.length > 0 && bad.length > 0
          ? [notGuaranteed(good, bad)]
          : codesOf(explained(pod).flatMap(({ reasons }) => reasons));
      return new Set([
        ...ofTemplates,
        ...besideOthers(pod, group, context),
        ...ofGroup(group, context),
      ]);
    },
    divide,
  };
};

const codesOf = (reasons: readonly FitReason[]): ReadonlySet<string> =>
  new Set(reasons.map(({ code }) => code));

const notGuaranteed = (good: readonly GroupTemplate[], bad: readonly GroupTemplate[]): string => {
  const zones = new Set(good.map(({ zone }) => zone));
  return bad.every(({ zone }) => !zones.has(zone)) ? notGuaranteedCodes[0] : notGuaranteedCodes[1];
};

const aboutOthers: ReadonlySet<string> = new Set([
  'hostPort',
  'topologySpread',
  'podAffinity',
  'podAntiAffinity',
  'existingAntiAffinity',
  'volumeConflict',
]);

/** What the other pods, those planned too, have against the group's next node. */
const besideOthers = (
  pod: StatePod,
  group: GroupState,
  { world }: Look['context'],
): readonly string[] => {
  if (group.probed.length === 0) return [];
  const { node } = world.add(group);
  const codes = codesOf(world.state.questionOf(pod).explainAll(node));
  world.removeNewest();
  return [...codes].filter((code) => aboutOthers.has(code));
};

const ofGroup = (state: GroupState, { added, limits }: Look['context']): readonly string[] => {
  if (state.templates.blocked !== undefined) return [state.templates.blocked.code];
  if (state.blocked !== undefined) return [state.blocked.code];
  const stop = limits.stopOf(state, added);
  const stopped = stop === undefined ? [] : [stop.code];
  const more = added.get(state.group.name) ?? 0;
  if (state.headroom > more) return stopped;
  const own =
    roomForNodes(state.coming, state.group.max) <= more ? 'groupAtMaximum' : 'decisionLimit';
  return [own, ...stopped];
};
