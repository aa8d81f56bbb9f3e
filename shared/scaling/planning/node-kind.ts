import { setOwn } from '#cluster/own-record.ts';
import { minResources, type Resources } from '#cluster/resources.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { SchedulingState, StatePod } from '#scheduling/state/scheduling-state.ts';
import { leastDrivers } from '../learned-drivers.ts';
import type { GroupTemplate } from '../node-template.ts';

/** A template with the DaemonSet pods that would run on it, and its node in the state of templates. */
export interface ProbedTemplate {
  readonly template: GroupTemplate;
  readonly daemonPods: readonly StatePod[];
  readonly node: number;
}

/**
 * Some of a group's templates, of which any may come. A node of the kind is planned as one of them, in the zone
 * that is expected, with the least that any of them has left for pods.
 */
export interface NodeKind {
  /** The name is a placeholder: each planned node has its own. */
  readonly node: NodeTemplate;
  /** Without requests: those are taken off what the node has. */
  readonly daemonPods: readonly StatePod[];
  /** Whether each of the templates takes the pod while there are only DaemonSet pods on it. */
  takes(pod: StatePod): boolean;
}

/**
 * What is sure of a node that is any of these templates, expected to be `expected`. The room is that of every
 * template less its DaemonSet pods, resource by resource the least; host ports of all of them are taken.
 */
export const nodeKind = (
  templates: readonly ProbedTemplate[],
  expected: ProbedTemplate | undefined,
  probe: SchedulingState,
): NodeKind => {
  const daemonPods = unionOf(templates);
  const left = templates.map(({ template, node }) =>
    leftOn(template.node.allocatable, node, probe),
  );
  const [first = {}, ...others] = left;
  const least = others.reduce(minResources, first);
  const csi = leastDrivers(templates.map(({ template }) => template.node.csi));
  const answers = new Map<number, boolean>();
  return {
    node: {
      ...(expected?.template.node ?? noNode),
      ...(csi === undefined ? {} : { csi }),
      allocatable: { ...least, pods: (least.pods ?? 0) + daemonPods.length },
    },
    daemonPods: daemonPods.map((pod) => ({ ...pod, requests: {} })),
    takes: (pod) => {
      const alone = withoutOthers(pod);
      const question = probe.questionOf(alone);
      const known = answers.get(question.id);
      if (known !== undefined) return known;
      const answer =
        templates.length > 0 &&
        question.rejected === undefined &&
        templates.every(({ node }) => question.passes(node));
      answers.set(question.id, answer);
      return answer;
    },
  };
};

/** Of a group whose nodes cannot be foretold: it takes nothing. */
const noNode: NodeTemplate = {
  name: '',
  labels: {},
  taints: [],
  unschedulable: true,
  allocatable: {},
};

const leftOn = (allocatable: Resources, node: number, probe: SchedulingState): Resources => {
  const left: Record<string, number> = {};
  for (const name of Object.keys(allocatable)) setOwn(left, name, probe.free(node, name));
  return left;
};

/** One of each: a pod of one DaemonSet is the same object on each template. */
const unionOf = (templates: readonly ProbedTemplate[]): readonly StatePod[] => [
  ...new Set(templates.flatMap(({ daemonPods }) => daemonPods)),
];

/** Views are never changed, so that a part once taken stays right for its object. */
const alones = new WeakMap<StatePod, StatePod>();

/** The pod without what other pods decide: affinity to them and spread. */
export const withoutOthers = (pod: StatePod): StatePod => {
  if (
    pod.podAffinity === undefined &&
    pod.podAntiAffinity === undefined &&
    pod.topologySpread === undefined
  ) {
    return pod;
  }
  const known = alones.get(pod);
  if (known !== undefined) return known;
  const { podAffinity: _affinity, podAntiAffinity: _anti, topologySpread: _spread, ...alone } = pod;
  alones.set(pod, alone);
  return alone;
};
