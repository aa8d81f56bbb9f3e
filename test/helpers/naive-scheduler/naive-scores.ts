import type { PodAffinityTerm } from '#cluster/constraints.ts';
import { matchesTerms } from '#cluster/labels.ts';
import { tolerates, untoleratedTaint } from '#cluster/taints.ts';
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
import { naiveReasons } from './naive-scheduler.ts';

/* The scores of kube-scheduler's default profile once more, from nothing but lists of pods. */

const hostname = 'kubernetes.io/hostname';

const reversed = (raws: readonly number[]): readonly number[] => {
  const most = Math.max(...raws);
  return raws.map((raw) => (most === 0 ? 100 : 100 - Math.floor((100 * raw) / most)));
};

const shares = (raws: readonly number[]): readonly number[] => {
  const most = Math.max(...raws);
  return raws.map((raw) => (most === 0 ? 0 : Math.floor((100 * raw) / most)));
};

const between = (raws: readonly number[]): readonly number[] => {
  const [least, most] = [Math.min(...raws), Math.max(...raws)];
  return raws.map((raw) => (most > least ? Math.trunc(100 * ((raw - least) / (most - least))) : 0));
};

const taints = (pod: StatePod, passed: readonly NaiveNode[]): readonly number[] =>
  reversed(
    passed.map(
      ({ node }) =>
        node.taints.filter(
          (taint) =>
            taint.effect === 'PreferNoSchedule' &&
            !pod.tolerations.some((one) => tolerates(one, taint)),
        ).length,
    ),
  );

const preferredNodes = (pod: StatePod, passed: readonly NaiveNode[]): readonly number[] =>
  shares(
    passed.map(({ node }) =>
      (pod.preferredNodeAffinity ?? [])
        .filter(({ term }) => matchesTerms([term], node))
        .reduce((sum, { weight }) => sum + weight, 0),
    ),
  );

function affinity(
  pod: StatePod,
  passed: readonly NaiveNode[],
  { nodes, context }: NaiveCluster,
): readonly number[] {
  const raws = passed.map(({ node }) => {
    let sum = 0;
    const near = (term: PodAffinityTerm, other: NaiveNode): boolean => {
      const domain = labelOf(node.labels, term.topologyKey);
      return domain !== undefined && labelOf(other.node.labels, term.topologyKey) === domain;
    };
    for (const other of nodes) {
      for (const existing of other.pods) {
        const own = [
          ...(pod.podAffinity?.preferred ?? []),
          ...(pod.podAntiAffinity?.preferred ?? []).map((one) => ({ ...one, weight: -one.weight })),
        ];
        for (const { weight, term } of own) {
          if (near(term, other) && termOfPendingMatches(term, existing, context)) sum += weight;
        }
        const theirs = [
          ...(existing.podAffinity?.required ?? []).map((term) => ({ weight: 1, term })),
          ...(existing.podAffinity?.preferred ?? []),
          ...(existing.podAntiAffinity?.preferred ?? []).map((one) => ({
            ...one,
            weight: -one.weight,
          })),
        ];
        for (const { weight, term } of theirs) {
          if (near(term, other) && termOfExistingMatches(term, pod, context)) sum += weight;
        }
      }
    }
    return sum;
  });
  return between(raws);
}

interface Constraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly matches: (other: StatePod) => boolean;
  readonly counts: (node: NaiveNode) => boolean;
}

function softConstraints(pod: StatePod): readonly Constraint[] {
  const demandMet = ({ node }: NaiveNode): boolean =>
    Object.entries(pod.nodeSelector).every(([key, value]) => labelOf(node.labels, key) === value) &&
    matchesTerms(pod.requiredNodeAffinity, node);
  if (pod.topologySpread !== undefined && pod.topologySpread.length > 0) {
    return pod.topologySpread
      .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
      .map((one) => ({
        ...one,
        matches: (other: StatePod) =>
          !selectsAll(one.selector) && matchesSelector(one.selector, other.labels),
        counts: (where: NaiveNode) =>
          (one.nodeAffinityPolicy === 'Ignore' || demandMet(where)) &&
          (one.nodeTaintsPolicy === 'Ignore' ||
            untoleratedTaint(where.node.taints, pod.tolerations) === undefined),
      }));
  }
  const { owner } = pod;
  if (owner?.kind !== 'ReplicaSet' && owner?.kind !== 'StatefulSet') return [];
  const matches = (other: StatePod): boolean => other.owner?.uid === owner.uid;
  return [
    { topologyKey: hostname, maxSkew: 3, matches, counts: demandMet },
    { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5, matches, counts: demandMet },
  ];
}

function spread(
  pod: StatePod,
  passed: readonly NaiveNode[],
  { nodes }: NaiveCluster,
): readonly number[] {
  const constraints = softConstraints(pod);
  if (constraints.length === 0) return passed.map(() => 0);
  const needsAllKeys = (pod.topologySpread?.length ?? 0) > 0;
  const hasAll = ({ node }: NaiveNode): boolean =>
    constraints.every(({ topologyKey }) => labelOf(node.labels, topologyKey) !== undefined);
  const scored = passed.filter((node) => !needsAllKeys || hasAll(node));
  const matching = ({ pods }: NaiveNode, { matches }: Constraint): number =>
    pods.filter(
      (one) => one.namespace === pod.namespace && one.deletedAtMs === undefined && matches(one),
    ).length;
  const raws = scored.map((where) => {
    let sum = 0;
    for (const constraint of constraints) {
      const { topologyKey, maxSkew, counts } = constraint;
      const domain = labelOf(where.node.labels, topologyKey);
      if (domain === undefined) continue;
      const isHost = topologyKey === hostname;
      const size = isHost
        ? scored.length
        : new Set(scored.map(({ node }) => labelOf(node.labels, topologyKey))).size;
      const count = isHost
        ? matching(where, constraint)
        : nodes
            .filter((one) => labelOf(one.node.labels, topologyKey) === domain)
            .filter((one) => counts(one) && (!needsAllKeys || hasAll(one)))
            .reduce((total, one) => total + matching(one, constraint), 0);
      sum += count * Math.log(size + 2) + (maxSkew - 1);
    }
    return Math.round(sum);
  });
  const [least, most] = [Math.min(...raws), Math.max(...raws, 0)];
  return passed.map((where) => {
    const index = scored.indexOf(where);
    if (index < 0) return 0;
    return most === 0 ? 100 : Math.floor((100 * (most + least - (raws[index] ?? 0))) / most);
  });
}

const sumOf = (pods: readonly StatePod[], amount: (pod: StatePod) => number): number =>
  pods.reduce((sum, pod) => sum + amount(pod), 0);

const asked = (pod: StatePod, name: string): number => pod.requests[name] ?? 0;
const counted = (pod: StatePod, name: string): number =>
  pod.scoredRequests?.[name] ?? pod.requests[name] ?? (name === 'cpu' ? 100 : 200 * 1024 * 1024);

const leastAllocated = (pod: StatePod, passed: readonly NaiveNode[]): readonly number[] =>
  passed.map(({ node, pods }) => {
    const names = ['cpu', 'memory'].filter((name) => (node.allocatable[name] ?? 0) > 0);
    const each = names.map((name) => {
      const whole = BigInt(node.allocatable[name] ?? 0);
      const used = BigInt(sumOf([...pods, pod], (one) => counted(one, name)));
      return used > whole ? 0n : ((whole - used) * 100n) / whole;
    });
    return names.length === 0 ? 0 : Number(each.reduce((a, b) => a + b, 0n) / BigInt(names.length));
  });

const balance = (node: NaiveNode['node'], pods: readonly StatePod[]): number => {
  const names = ['cpu', 'memory'].filter((name) => (node.allocatable[name] ?? 0) > 0);
  const [cpu, memory] = names.map((name) =>
    Math.min(1, sumOf(pods, (one) => asked(one, name)) / (node.allocatable[name] ?? 1)),
  );
  if (cpu === undefined || memory === undefined) return 100;
  return Math.trunc((1 - Math.abs((cpu - memory) / 2)) * 100);
};

const balanced = (pod: StatePod, passed: readonly NaiveNode[]): readonly number[] =>
  passed.map(({ node, pods }) => {
    if (asked(pod, 'cpu') === 0 && asked(pod, 'memory') === 0) return 0;
    return 50 + Math.trunc((50 + balance(node, [...pods, pod]) - balance(node, pods)) / 2);
  });

/** The weighted sum for each of the nodes, of which all passed. */
export function naiveScores(
  pod: StatePod,
  passed: readonly NaiveNode[],
  cluster: NaiveCluster,
): readonly number[] {
  const parts: readonly (readonly [number, readonly number[]])[] = [
    [3, taints(pod, passed)],
    [2, preferredNodes(pod, passed)],
    [2, affinity(pod, passed, cluster)],
    [2, spread(pod, passed, cluster)],
    [1, leastAllocated(pod, passed)],
    [1, balanced(pod, passed)],
  ];
  return passed.map((_, at) =>
    parts.reduce((sum, [weight, all]) => sum + weight * (all[at] ?? 0), 0),
  );
}

/** The positions of the nodes that pass with the best score, rising; none where no node passes. */
export function naiveBest(pod: StatePod, cluster: NaiveCluster): readonly number[] {
  const positions = cluster.nodes.flatMap((where, index) =>
    naiveReasons(pod, where, cluster).length === 0 ? [index] : [],
  );
  const passed = positions.flatMap((position) => cluster.nodes[position] ?? []);
  const scores = naiveScores(pod, passed, cluster);
  const best = Math.max(...scores);
  return positions.filter((_, at) => scores[at] === best);
}
