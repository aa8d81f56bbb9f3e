import { minResources, type Resources } from '#cluster/resources.ts';
import {
  type SchedulingState,
  type StatePod,
  schedulingState,
} from '#scheduling/state/scheduling-state.ts';
import type { AutoScalingGroup, GroupInstance } from './aws-views.ts';
import { backedOffReason, isBackedOff, storedBackOff } from './back-off.ts';
import { type Coming, comingOf, counts, roomForNodes } from './coming.ts';
import { type DaemonSetPods, daemonSetPodsOf, mayRunOn } from './daemon-sets.ts';
import type { Reason, ScaleUpInput } from './decision.ts';
import { type TemplatedGroup, templatedGroupsOf } from './group-templates.ts';
import type { BackOff, LedgerEntry } from './ledger.ts';
import type { LiveNode } from './match-nodes.ts';
import type { GroupTemplates } from './node-template.ts';
import { expectedZones } from './planning/expected-zones.ts';
import { type NodeKind, nodeKind, type ProbedTemplate } from './planning/node-kind.ts';

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
  /** Its templates with their DaemonSet pods, each on a node of its own in `probe`. */
  readonly probed: readonly ProbedTemplate[];
  /** Every group's templates, and no other pods. */
  readonly probe: SchedulingState;
  /** Capacity that is sure on any new node of the group. */
  readonly capacity: Resources;
  /** Whether every new node would take the pod, were there only DaemonSet pods on it. */
  takes(pod: StatePod): boolean;
  /** What is sure of the group's next node but `index`, those on their way without an instance counted in. */
  kindOfNext(index: number): NodeKind;
  /** What is sure of this very instance, whose zone and type may be known. */
  kindOf(instance: GroupInstance): NodeKind;
}

/** Every group by name, with its templates, its nodes on their way and its limits. */
export const groupStatesOf = (input: ScaleUpInput): readonly GroupState[] => {
  const daemonSets = daemonSetPodsOf(input.snapshot);
  const { snapshot } = input;
  const probe = schedulingState({ namespaces: snapshot.namespaces ?? [], storage: snapshot });
  return templatedGroupsOf(input).map((templated) =>
    groupState(templated, { input, daemonSets, probe }),
  );
};

interface Parts {
  readonly input: ScaleUpInput;
  readonly daemonSets: DaemonSetPods;
  readonly probe: SchedulingState;
}

const groupState = (templated: TemplatedGroup, { input, daemonSets, probe }: Parts): GroupState => {
  const { group, templates, live } = templated;
  const entry = input.ledger.find((candidate) => candidate.group === group.name);
  const coming = sureComing(templates, findComing(templated, entry, input));
  const probed = templates.templates.map((template): ProbedTemplate => {
    const node = probe.addNode(template.node);
    const daemonPods = daemonSets.filter((pod) => mayRunOn(pod, node, probe));
    for (const pod of daemonPods) probe.place(pod, node);
    return { template, daemonPods, node };
  });
  const [first, ...others] = templates.templates.map((template) => template.capacity);
  const headroom = Math.min(roomForNodes(coming, group.max), input.policy.maxNodesPerDecision);
  const backOff = openBackOff(entry, input.nowMs);
  // More of what does not come helps nobody; the pods are planned elsewhere meanwhile.
  const blocked = templates.blocked ?? (backOff && backedOffReason(group.name, backOff));
  const kinds = kindsOf(probed, probe);
  const zoneOf = expectedZones(group.zones, group.instances.filter(counts));
  return {
    group,
    templates,
    live,
    coming,
    ...(backOff === undefined ? {} : { backOff }),
    ...(blocked === undefined ? {} : { blocked }),
    headroom: blocked === undefined ? headroom : 0,
    probed,
    probe,
    capacity: others.reduce(minResources, first ?? {}),
    takes: (pod) => kinds.next(zoneOf(0)).takes(pod),
    kindOfNext: (index) => kinds.next(zoneOf(index)),
    kindOf: kinds.of,
  };
};

interface Kinds {
  next(zone: string): NodeKind;
  of(instance: GroupInstance): NodeKind;
}

/** One kind for each zone a next node may be expected in, and for each zone and type of an instance. */
const kindsOf = (probed: readonly ProbedTemplate[], probe: SchedulingState): Kinds => {
  const known = new Map<string, NodeKind>();
  const kept = (key: string, make: () => NodeKind): NodeKind => {
    const kind = known.get(key) ?? make();
    known.set(key, kind);
    return kind;
  };
  const inZone = (zone: string): ProbedTemplate | undefined =>
    probed.find(({ template }) => template.zone === zone) ?? probed[0];
  return {
    next: (zone) => kept(zone, () => nodeKind(probed, inZone(zone), probe)),
    of: (instance) =>
      kept(`${instance.zone} ${instance.type ?? ''}`, () => {
        const narrow = narrowed(probed, instance);
        return nodeKind(narrow, narrow[0], probe);
      }),
  };
};

const openBackOff = (entry: LedgerEntry | undefined, nowMs: number): BackOff | undefined =>
  entry?.backOff !== undefined && isBackedOff(entry.backOff, nowMs)
    ? storedBackOff(entry.backOff, nowMs)
    : undefined;

/** The templates that an instance may have come from; all of them where it fits none. */
const narrowed = (
  all: readonly ProbedTemplate[],
  { zone, type }: GroupInstance,
): readonly ProbedTemplate[] => {
  const matching = all.filter(
    ({ template }) =>
      template.zone === zone && (type === undefined || template.instanceType === type),
  );
  return matching.length === 0 ? all : matching;
};

const findComing = (
  { group, live, templates, startLimitSeconds, lackOf }: TemplatedGroup,
  entry: LedgerEntry | undefined,
  { nowMs }: ScaleUpInput,
): Coming =>
  comingOf({
    group,
    ...(entry === undefined ? {} : { entry }),
    live,
    isUsable: (one) => lackOf(one) === undefined,
    startLimitSeconds,
    unitsPerNode: templates.unitsPerNode,
    nowMs,
  });

/** AWS launches nothing in a blocked group (or what, is not known): only instances there are sure. */
const sureComing = ({ blocked }: GroupTemplates, coming: Coming): Coming =>
  blocked === undefined ? coming : { ...coming, count: coming.starting.length };
