import type { HostPort, TopologySpreadConstraint } from '#cluster/constraints.ts';
import { matchesNodeSelector, matchesTerms } from '#cluster/labels.ts';
import { untoleratedTaint } from '#cluster/taints.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import {
  labelOf,
  matchesSelector,
  type NaiveCluster,
  type NaiveNode,
  selectsAll,
  termOfExistingMatches,
  termOfPendingMatches,
} from './naive-cluster.ts';

/** kube-scheduler's words for one node, each once; empty where the plugin passes it. */
export type NaiveFilter = (
  pod: StatePod,
  where: NaiveNode,
  cluster: NaiveCluster,
) => readonly string[];

const demandMet = (pod: StatePod, node: NodeTemplate): boolean =>
  matchesNodeSelector(pod.nodeSelector, node.labels) &&
  matchesTerms(pod.requiredNodeAffinity, node);

const taintsMet = (pod: StatePod, node: NodeTemplate): boolean =>
  untoleratedTaint(node.taints, pod.tolerations) === undefined;

const unless = (passes: boolean, reason: string): readonly string[] => (passes ? [] : [reason]);

const unschedulable: NaiveFilter = (pod, { node }) => {
  const taint = {
    key: 'node.kubernetes.io/unschedulable',
    value: '',
    effect: 'NoSchedule',
  } as const;
  const tolerated = untoleratedTaint([taint], pod.tolerations) === undefined;
  return unless(!node.unschedulable || tolerated, 'node(s) were unschedulable');
};

const collide = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port &&
  a.protocol === b.protocol &&
  (a.hostIp === b.hostIp || [a.hostIp, b.hostIp].includes('0.0.0.0'));

const ports: NaiveFilter = (pod, { pods }) => {
  const taken = pods.flatMap(({ hostPorts }) => hostPorts);
  const collides = pod.hostPorts.some((port) => taken.some((other) => collide(port, other)));
  return unless(!collides, "node(s) didn't have free ports for the requested pod ports");
};

const resources: NaiveFilter = (pod, { node, pods }) => {
  const reasons = pods.length + 1 > (node.allocatable.pods ?? 0) ? ['Too many pods'] : [];
  for (const [name, amount] of Object.entries(pod.requests)) {
    const used = pods.reduce((sum, { requests }) => sum + BigInt(requests[name] ?? 0), 0n);
    const total = BigInt(node.allocatable[name] ?? 0);
    const held = used > 2n ** 53n - 1n ? 2n ** 53n - 1n : used;
    if (amount > 0 && BigInt(amount) > total - held) reasons.push(`Insufficient ${name}`);
  }
  return reasons;
};

const spreadMessage = "node(s) didn't match pod topology spread constraints";

function spreadRefusal(
  pod: StatePod,
  constraint: TopologySpreadConstraint,
  { where, cluster }: { readonly where: NaiveNode; readonly cluster: NaiveCluster },
): string | undefined {
  const { topologyKey, selector } = constraint;
  const domain = labelOf(where.node.labels, topologyKey);
  if (domain === undefined) return `${spreadMessage} (missing required label)`;
  const hard = (pod.topologySpread ?? []).filter(
    (one) => one.whenUnsatisfiable === 'DoNotSchedule',
  );
  const counted = cluster.nodes.filter(
    ({ node }) =>
      hard.every((one) => labelOf(node.labels, one.topologyKey) !== undefined) &&
      (constraint.nodeAffinityPolicy === 'Ignore' || demandMet(pod, node)) &&
      (constraint.nodeTaintsPolicy === 'Ignore' || taintsMet(pod, node)),
  );
  const counts = new Map<string, number>();
  for (const { node, pods } of counted) {
    const value = labelOf(node.labels, topologyKey) ?? '';
    const matching = pods.filter(
      (one) =>
        !selectsAll(selector) &&
        one.namespace === pod.namespace &&
        one.deletedAtMs === undefined &&
        matchesSelector(selector, one.labels),
    );
    counts.set(value, (counts.get(value) ?? 0) + matching.length);
  }
  const fewest = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
  const self = matchesSelector(selector, pod.labels) ? 1 : 0;
  return (counts.get(domain) ?? 0) + self - fewest > constraint.maxSkew ? spreadMessage : undefined;
}

const spread: NaiveFilter = (pod, where, cluster) => {
  for (const constraint of pod.topologySpread ?? []) {
    if (constraint.whenUnsatisfiable !== 'DoNotSchedule') continue;
    const refusal = spreadRefusal(pod, constraint, { where, cluster });
    if (refusal !== undefined) return [refusal];
  }
  return [];
};

const podAffinity: NaiveFilter = (pod, { node }, { context, nodes }) => {
  const terms = pod.podAffinity?.required ?? [];
  if (terms.length === 0) return [];
  const isFriend = (other: StatePod): boolean =>
    terms.every((term) => termOfPendingMatches(term, other, context));
  const friendly = nodes.filter(({ pods }) => pods.some(isFriend));
  const found = terms.every(({ topologyKey }) => {
    const domain = labelOf(node.labels, topologyKey);
    return (
      domain !== undefined &&
      friendly.some((other) => labelOf(other.node.labels, topologyKey) === domain)
    );
  });
  const hasKeys = terms.every(({ topologyKey }) => labelOf(node.labels, topologyKey) !== undefined);
  const noneAnywhere = !friendly.some((other) =>
    terms.some(({ topologyKey }) => labelOf(other.node.labels, topologyKey) !== undefined),
  );
  const first = hasKeys && noneAnywhere && isFriend(pod);
  return unless(found || first, "node(s) didn't match pod affinity rules");
};

const podAntiAffinity: NaiveFilter = (pod, { node }, { context, nodes }) => {
  const conflict = (pod.podAntiAffinity?.required ?? []).some((term) => {
    const domain = labelOf(node.labels, term.topologyKey);
    return (
      domain !== undefined &&
      nodes.some(
        (other) =>
          labelOf(other.node.labels, term.topologyKey) === domain &&
          other.pods.some((one) => termOfPendingMatches(term, one, context)),
      )
    );
  });
  return unless(!conflict, "node(s) didn't match pod anti-affinity rules");
};

const existingAntiAffinity: NaiveFilter = (pod, { node }, { context, nodes }) => {
  const conflict = nodes.some((other) =>
    other.pods.some((owner) =>
      (owner.podAntiAffinity?.required ?? []).some((term) => {
        const domain = labelOf(other.node.labels, term.topologyKey);
        return (
          domain !== undefined &&
          domain === labelOf(node.labels, term.topologyKey) &&
          termOfExistingMatches(term, pod, context)
        );
      }),
    ),
  );
  return unless(!conflict, "node(s) didn't satisfy existing pods anti-affinity rules");
};

export const nodeFilters: readonly NaiveFilter[] = [
  unschedulable,
  (pod, { node }) => unless(taintsMet(pod, node), 'node(s) had untolerated taint(s)'),
  (pod, { node }) =>
    unless(demandMet(pod, node), "node(s) didn't match Pod's node affinity/selector"),
  ports,
  resources,
];

export const podFilters: readonly NaiveFilter[] = [
  spread,
  podAffinity,
  podAntiAffinity,
  existingAntiAffinity,
];
