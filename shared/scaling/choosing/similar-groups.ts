import { amountIn, type Resources } from '#cluster/resources.ts';
import type { GroupState } from '../group-state.ts';
import type { GroupTemplate } from '../node-template.ts';
import type { ProbedTemplate } from '../planning/node-kind.ts';
import type { ScalingPolicy } from '../policy.ts';

/** Labels in which similar groups differ by nature: Cluster Autoscaler's, its AWS ones among them. */
const labelsIgnored: readonly string[] = [
  'kubernetes.io/hostname',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.ebs.csi.aws.com/zone',
  'topology.k8s.aws/zone-id',
  'alpha.eksctl.io/instance-id',
  'alpha.eksctl.io/nodegroup-name',
  'eks.amazonaws.com/nodegroup',
  'k8s.amazonaws.com/eniConfig',
  'lifecycle',
  'beta.kubernetes.io/fluentd-ds-ready',
  'kops.k8s.io/instancegroup',
];

/** Labels by which similar groups may differ under the policy. */
export const ignoredLabels = ({
  balancingIgnoreLabels = [],
}: Pick<ScalingPolicy, 'balancingIgnoreLabels'>): ReadonlySet<string> =>
  new Set([...labelsIgnored, ...balancingIgnoreLabels]);

/**
 * Whether nodes of both groups are alike by the rules of Cluster Autoscaler (compare_nodegroups.go): the same
 * resources, capacity the same but for memory within 1.5 %, allocatable and what DaemonSets leave of it within 5 %,
 * and the same labels but for those that are `ignored`. Unlike there, every template of a group must find its like
 * in the other, since any of them may come; and the taints are compared too.
 */
export const areSimilar = (a: GroupState, b: GroupState, ignored: ReadonlySet<string>): boolean => {
  const among = (others: GroupState) => (one: ProbedTemplate, state: GroupState) =>
    others.probed.some((other) => areAlike([one, state], [other, others], ignored));
  return (
    a.probed.length > 0 &&
    b.probed.length > 0 &&
    a.probed.every((one) => among(b)(one, a)) &&
    b.probed.every((one) => among(a)(one, b))
  );
};

type Probed = readonly [ProbedTemplate, GroupState];

const areAlike = (a: Probed, b: Probed, ignored: ReadonlySet<string>): boolean => {
  const [left, right] = [a[0].template, b[0].template];
  return (
    sameMachine(left, right) &&
    everyAmount(left.node.allocatable, right.node.allocatable, (_, one, other) =>
      within(one, other, 50),
    ) &&
    everyAmount(freeOn(a), freeOn(b), (_, one, other) => within(one, other, 50)) &&
    sameLabels(left.node.labels, right.node.labels, ignored) &&
    sameTaints(left.node.taints, right.node.taints)
  );
};

/** Of one type, amounts differ only where a node has shown those of one group already. */
const sameMachine = (a: GroupTemplate, b: GroupTemplate): boolean =>
  a.instanceType === b.instanceType ||
  everyAmount(a.capacity, b.capacity, (name, one, other) =>
    within(one, other, name === 'memory' ? 15 : 0),
  );

const freeOn = ([{ template, node }, { probe }]: Probed): Resources =>
  Object.fromEntries(
    Object.keys(template.node.allocatable).map((name) => [name, probe.free(node, name)]),
  );

/** The same names, and amounts that are near enough. */
const everyAmount = (
  a: Resources,
  b: Resources,
  isNear: (name: string, one: number, other: number) => boolean,
): boolean => {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) => Object.hasOwn(b, name) && isNear(name, amountIn(a, name), amountIn(b, name)),
    )
  );
};

const within = (a: number, b: number, perMille: number): boolean =>
  BigInt(Math.abs(a - b)) * 1000n <= BigInt(Math.max(a, b)) * BigInt(perMille);

type Labels = Readonly<Record<string, string>>;

const sameLabels = (a: Labels, b: Labels, ignored: ReadonlySet<string>): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (key) =>
      ignored.has(key) || (Object.hasOwn(a, key) && Object.hasOwn(b, key) && a[key] === b[key]),
  );

type Taints = ProbedTemplate['template']['node']['taints'];

const sameTaints = (a: Taints, b: Taints): boolean => {
  const texts = (taints: Taints) =>
    taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`).sort();
  return texts(a).join('\n') === texts(b).join('\n');
};
