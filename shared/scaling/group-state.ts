import { minResources, type Resources } from '#cluster/resources.ts';
import type { SchedulablePod, SchedulingNode } from '#scheduling/node.ts';
import { schedulingKey } from '#scheduling/scheduling-key.ts';
import type { AutoScalingGroup, GroupInstance } from './aws-views.ts';
import { backedOffReason, isBackedOff, storedBackOff } from './back-off.ts';
import { type Coming, comingOf } from './coming.ts';
import {
  type DaemonSetPods,
  daemonSetPodsOf,
  mayRunOn,
  nodeWithDaemonSets,
  placementOf,
} from './daemon-sets.ts';
import type { Reason, ScaleUpInput } from './decision.ts';
import { type TemplatedGroup, templatedGroupsOf } from './group-templates.ts';
import type { BackOff, LedgerEntry } from './ledger.ts';
import type { LiveNode } from './match-nodes.ts';
import type { GroupTemplate, GroupTemplates } from './node-template.ts';
import { askOf, countThatFits, type Room, sureRoom } from './room.ts';

/** A group as one decision sees it. Nothing of it changes while deciding. */
export interface GroupState {
  readonly group: AutoScalingGroup;
  readonly templates: GroupTemplates;
  /** The group's Nodes by instance id. */
  readonly live: ReadonlyMap<string, LiveNode>;
  readonly coming: Coming;
  /** Set while the group is left alone since its launches failed. */
  readonly backOff?: BackOff;
  /** Why the group may not be raised: it is blocked or backed off. */
  readonly blocked?: Reason;
  /** How many nodes this decision may add; 0 for a blocked group. */
  readonly headroom: number;
  /** New nodes with their DaemonSet pods, one for each template. */
  readonly newNodes: readonly SchedulingNode[];
  /** What is sure on any new node of the group. */
  readonly room: Room;
  /** Capacity that is sure on any new node of the group. */
  readonly capacity: Resources;
  /** Whether every new node would take the pod. */
  takesWhenEmpty(pod: SchedulablePod): boolean;
  /** What is sure on this very instance, whose zone and type may be known. */
  kindOf(instance: GroupInstance): NodeKind;
}

/** Some of a group's templates, of which any may come. */
export interface NodeKind {
  readonly room: Room;
  /** Whether each of them takes the pod while there are only DaemonSet pods on it. */
  takesWhenEmpty(pod: SchedulablePod): boolean;
}

/** Every group by name, with its templates, its nodes on their way and its limits. */
export const groupStatesOf = (input: ScaleUpInput): readonly GroupState[] => {
  const daemonSets = daemonSetPodsOf(input.snapshot);
  return templatedGroupsOf(input).map((templated) => groupState(templated, { input, daemonSets }));
};

interface Parts {
  readonly input: ScaleUpInput;
  readonly daemonSets: DaemonSetPods;
}

const groupState = (templated: TemplatedGroup, { input, daemonSets }: Parts): GroupState => {
  const { group, templates, live } = templated;
  const entry = input.ledger.find((candidate) => candidate.group === group.name);
  const coming = sureComing(templates, findComing(templated, entry, input));
  const all = templates.templates.map((template) => ({
    template,
    node: nodeWithDaemonSets(template.node, daemonSets),
  }));
  const [first, ...others] = templates.templates.map((template) => template.capacity);
  const kind = nodeKind(all);
  const kinds = new Map<string, NodeKind>();
  const headroom = Math.min(group.max - coming.expected, input.policy.maxNodesPerDecision);
  const backOff = openBackOff(entry, input.nowMs);
  // More of what does not come helps nobody; the pods are planned elsewhere meanwhile.
  const blocked = templates.blocked ?? (backOff && backedOffReason(group.name, backOff));
  return {
    group,
    templates,
    live,
    coming,
    ...(backOff === undefined ? {} : { backOff }),
    ...(blocked === undefined ? {} : { blocked }),
    headroom: blocked === undefined ? Math.max(headroom, 0) : 0,
    newNodes: all.map(({ node }) => node),
    room: kind.room,
    capacity: others.reduce(minResources, first ?? {}),
    takesWhenEmpty: kind.takesWhenEmpty,
    kindOf: (instance) => {
      const key = `${instance.zone} ${instance.type ?? ''}`;
      const known = kinds.get(key) ?? nodeKind(narrowed(all, instance));
      kinds.set(key, known);
      return known;
    },
  };
};

const openBackOff = (entry: LedgerEntry | undefined, nowMs: number): BackOff | undefined =>
  entry?.backOff !== undefined && isBackedOff(entry.backOff, nowMs)
    ? storedBackOff(entry.backOff, nowMs)
    : undefined;

interface TemplateNode {
  readonly template: GroupTemplate;
  readonly node: SchedulingNode;
}

/** The templates that an instance may have come from; all of them where it fits none. */
const narrowed = (
  all: readonly TemplateNode[],
  { zone, type }: GroupInstance,
): readonly TemplateNode[] => {
  const matching = all.filter(
    ({ template }) =>
      template.zone === zone && (type === undefined || template.instanceType === type),
  );
  return matching.length === 0 ? all : matching;
};

const nodeKind = (nodes: readonly TemplateNode[]): NodeKind => {
  const room = sureRoom(nodes.map(({ node }) => node));
  const answers = new Map<string, boolean>();
  const accepts = (pod: SchedulablePod): boolean => {
    const key = schedulingKey(placementOf(pod));
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = nodes.length > 0 && nodes.every(({ template }) => mayRunOn(pod, template.node));
    answers.set(key, answer);
    return answer;
  };
  return {
    room,
    takesWhenEmpty: (pod) => countThatFits(askOf(pod), room, 1) === 1 && accepts(pod),
  };
};

const findComing = (
  { group, live, lackOf }: TemplatedGroup,
  entry: LedgerEntry | undefined,
  { policy, nowMs }: ScaleUpInput,
): Coming =>
  comingOf({
    group,
    ...(entry === undefined ? {} : { entry }),
    live,
    isUsable: (one) => lackOf(one) === undefined,
    startLimitSeconds: policy.startLimitSeconds,
    nowMs,
  });

/** AWS launches nothing in a blocked group (or what, is not known): only instances there are sure. */
const sureComing = ({ blocked }: GroupTemplates, coming: Coming): Coming =>
  blocked === undefined ? coming : { ...coming, count: coming.starting.length };
