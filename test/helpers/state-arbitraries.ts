import fc from 'fast-check';
import type {
  HostPort,
  LabelSelector,
  NodeSelectorTerm,
  PodAffinityTerm,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from '#cluster/constraints.ts';
import type { NamespaceView } from '#cluster/snapshot.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { buildConstraints } from './cluster-builders.ts';

/* Small clusters with few keys and values, so that matches, misses and collisions are all common. */

const hostname = 'kubernetes.io/hostname';
const key = fc.constantFrom('a', 'b');
const value = fc.constantFrom('1', '2', 'ü');
const topologyKey = fc.constantFrom('zone', 'zone', 'rack', hostname);
const namespace = fc.constantFrom('default', 'default', 'default', 'other', 'unlisted');
const effect = fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule');

/** One time in `times`, the value; else nothing. */
export const seldom = <Value>(value: fc.Arbitrary<Value>, times: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: times }), value)
    .map(([roll, one]) => (roll === times ? one : undefined));

/** One time in `times`, nothing; else the value. */
export const mostly = <Value>(value: fc.Arbitrary<Value>, times: number) =>
  fc.option(value, { nil: undefined, freq: times });

const labels = fc.dictionary(key, value, { maxKeys: 2, noNullPrototype: true });
const taint: fc.Arbitrary<Taint> = fc.record({ key, value, effect });
const toleration: fc.Arbitrary<Toleration> = fc.record(
  { key, operator: fc.constantFrom('Exists', 'Equal', 'Gt', 'Lt'), value, effect },
  { requiredKeys: ['operator'] },
);

export const labelSelector: fc.Arbitrary<LabelSelector> = fc.record({
  matchLabels: fc.dictionary(key, value, { maxKeys: 1, noNullPrototype: true }),
  matchExpressions: fc.array(
    fc.oneof(
      fc.record({
        key,
        operator: fc.constantFrom('In' as const, 'NotIn' as const),
        values: fc.array(value, { minLength: 1, maxLength: 2 }),
      }),
      fc.record({
        key,
        operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const),
        values: fc.constant([]),
      }),
    ),
    { maxLength: 1 },
  ),
});

/** Without the keys whose value is `undefined`. */
export const clean = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;

const affinityTerm = fc
  .record({
    topologyKey,
    selector: mostly(labelSelector, 8),
    namespaces: fc.array(namespace, { maxLength: 1 }),
    namespaceSelector: seldom(labelSelector, 4),
  })
  .map(clean) as fc.Arbitrary<PodAffinityTerm>;

const spreadConstraint = fc
  .record({
    topologyKey,
    maxSkew: fc.constantFrom(1, 1, 2, 3),
    whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway'),
    selector: mostly(labelSelector, 8),
    minDomains: seldom(fc.integer({ min: 1, max: 3 }), 3),
    nodeAffinityPolicy: fc.constantFrom('Honor', 'Ignore'),
    nodeTaintsPolicy: fc.constantFrom('Honor', 'Ignore'),
  })
  .map(clean) as fc.Arbitrary<TopologySpreadConstraint>;

const nodeName = fc.constantFrom('n0', 'n1', 'n2', 'n3');
const requirement = fc.record({
  key: fc.constantFrom('a', 'b', 'zone', hostname),
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  values: fc.array(fc.oneof(value, nodeName, fc.constantFrom('z1', 'z2')), { maxLength: 2 }),
});
const fieldRequirement = fc.record({
  key: fc.constant('metadata.name'),
  operator: fc.constantFrom('In', 'NotIn'),
  values: fc.array(nodeName, { minLength: 1, maxLength: 1 }),
});
const nodeTerm = fc.record({
  matchExpressions: fc.array(requirement, { maxLength: 2 }),
  matchFields: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fieldRequirement, { maxLength: 2 }) },
  ),
}) as fc.Arbitrary<NodeSelectorTerm>;

const hostPort: fc.Arbitrary<HostPort> = fc.record({
  protocol: fc.constantFrom('TCP', 'UDP'),
  hostIp: fc.constantFrom('0.0.0.0', '10.0.0.1', '10.0.0.2'),
  port: fc.constantFrom(80, 81),
});

const huge = fc.constantFrom(2 ** 53 - 1, 2 ** 53 - 2);
const resourceNames = ['cpu', 'memory', 'example.com/thing'] as const;
const resources = (small: fc.Arbitrary<number>, present: number) =>
  fc.dictionary(
    fc.constantFrom(...resourceNames),
    fc.oneof({ weight: 12, arbitrary: small }, { weight: 1, arbitrary: huge }),
    { maxKeys: present, noNullPrototype: true },
  );
const requests = resources(fc.integer({ min: 0, max: 3 }), 1);
const allocatable = resources(fc.integer({ min: 2, max: 12 }), 3).map((given) => ({
  cpu: 6,
  memory: 6,
  ...given,
}));

const some = <Value>(value: fc.Arbitrary<Value>, times: number, maxLength = 1) =>
  fc.oneof(
    { weight: times, arbitrary: fc.constant<Value[]>([]) },
    { weight: 1, arbitrary: fc.array(value, { minLength: 1, maxLength }) },
  );
const required = seldom(
  fc.record({
    required: fc.array(affinityTerm, { minLength: 1, maxLength: 2 }),
    preferred: fc.constant([]),
  }),
  3,
);

/** A pod by its content; names are given later. */
const podContent = fc
  .record({
    namespace,
    labels,
    requests,
    nodeSelector: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.dictionary(key, value, { maxKeys: 1, noNullPrototype: true }) },
    ),
    requiredNodeAffinity: seldom(fc.array(nodeTerm, { maxLength: 2 }), 6),
    tolerations: some(toleration, 1, 2),
    hostPorts: some(hostPort, 4, 2),
    podAffinity: required,
    podAntiAffinity: required,
    topologySpread: seldom(fc.array(spreadConstraint, { minLength: 1, maxLength: 2 }), 3),
    deletedAtMs: seldom(fc.constant(1), 8),
    requestedNode: seldom(nodeName, 20),
  })
  .map(clean);

/** Pods that are named apart. */
export const statePods = (length: number): fc.Arbitrary<StatePod[]> =>
  fc.array(podContent, { maxLength: length }).map((contents) =>
    contents.map(
      (content, index) =>
        ({
          ...buildConstraints(),
          name: `p${index}`,
          uid: `uid-p${index}`,
          ...content,
        }) as StatePod,
    ),
  );

const nodeContent = fc.record({
  labels,
  zone: mostly(fc.constantFrom('z1', 'z2', 'z3'), 8),
  rack: mostly(fc.constantFrom('r1', 'r2'), 3),
  named: fc.integer({ min: 0, max: 5 }).map((roll) => roll > 0),
  taints: some(taint, 4),
  unschedulable: fc.integer({ min: 0, max: 15 }).map((roll) => roll === 0),
  allocatable,
  pods: fc.integer({ min: 1, max: 9 }),
});

/** Nodes n0, n1, …; some lack a zone, a rack or the hostname label. */
export const nodeTemplates = (length: number): fc.Arbitrary<NodeTemplate[]> =>
  fc.array(nodeContent, { minLength: 1, maxLength: length }).map((contents) =>
    contents.map(({ labels, zone, rack, named, pods, allocatable, ...rest }, index) => ({
      ...rest,
      name: `n${index}`,
      labels: {
        ...labels,
        ...(zone === undefined ? {} : { zone }),
        ...(rack === undefined ? {} : { rack }),
        ...(named ? { [hostname]: `n${index}` } : {}),
      },
      allocatable: { ...allocatable, pods },
    })),
  );

/** Some of the namespaces; `unlisted` is never among them. */
export const namespaces: fc.Arbitrary<NamespaceView[]> = fc
  .record({ first: labels, second: labels })
  .map(({ first, second }) => [
    { name: 'default', labels: first },
    { name: 'other', labels: second },
  ]);
