import fc from 'fast-check';
import type { PodView } from '#cluster/snapshot.ts';
import type { AutoScalingGroup, GroupInstance } from '#scaling/aws-views.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import type { BackOff, InstanceObservation, LedgerEntry } from '#scaling/ledger.ts';
import {
  backOff,
  boundPod,
  daemonSet,
  failedLaunch,
  GiB,
  group,
  instance,
  MiB,
  minute,
  noCapacity,
  node,
  nodeOf,
  now,
  override,
  pod,
  scaleUpInput,
} from '../helpers/scaling-builders.ts';

const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const toleration = { key: 'dedicated', operator: 'Exists' as const };

/** `undefined` except once in so many times. */
const rarely = <Value>(
  times: number,
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | undefined> =>
  fc.oneof(
    { arbitrary: fc.constant(undefined), weight: times - 1 },
    { arbitrary: value, weight: 1 },
  );

const demand = fc.record({
  cpu: fc.constantFrom(0, 100, 300, 500, 700, 900, 1300, 1900, 3000, 5000),
  memory: fc.constantFrom(0, 256 * MiB, GiB, 3 * GiB, 6 * GiB, 12 * GiB),
  gpu: rarely(12, fc.constant(1)),
  zone: rarely(8, fc.constantFrom(...zones)),
  tolerant: fc.boolean(),
  port: rarely(3, fc.constantFrom(80, 9100)),
  priority: fc.constantFrom(undefined, -11, 0, 0, 0, 100),
  unjudged: rarely(12, fc.constant(true)),
  app: fc.constantFrom('web', 'api'),
  beside: rarely(
    3,
    fc.record({
      what: fc.constantFrom('spread', 'affinity', 'antiAffinity'),
      topologyKey: fc.constantFrom('topology.kubernetes.io/zone', 'kubernetes.io/hostname'),
      app: fc.constantFrom('web', 'api'),
    }),
  ),
});

type Made<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

/** What pods of an app decide about the pod, as the fields of its view. */
const besideOthers = (of: Made<typeof demand>['beside']): Partial<PodView> => {
  if (of === undefined) return {};
  const { topologyKey, app, what } = of;
  const selector = { matchLabels: { app }, matchExpressions: [] };
  const terms = { required: [{ topologyKey, selector, namespaces: ['default'] }], preferred: [] };
  if (what === 'affinity') return { podAffinity: terms };
  if (what === 'antiAffinity') return { podAntiAffinity: terms };
  const spread = {
    topologyKey,
    selector,
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    nodeAffinityPolicy: 'Honor',
    nodeTaintsPolicy: 'Ignore',
  } as const;
  return { topologySpread: [spread] };
};

const zoneSelector = (zone: string | undefined): Readonly<Record<string, string>> =>
  zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone };

const toPods = (
  demands: readonly {
    readonly of: Made<typeof demand>;
    readonly copies: number;
    readonly bound: string | undefined;
  }[],
): readonly PodView[] =>
  demands.flatMap(({ of, copies, bound }, index) =>
    Array.from({ length: copies }, (_, copy) => {
      const name = `pod-${index}-${copy}`;
      const { priority: _priority, ...base } =
        bound === undefined ? pod(name) : boundPod(name, bound);
      return {
        ...base,
        ...besideOthers(of.beside),
        labels: { app: of.app },
        ...(of.priority === undefined ? {} : { priority: of.priority }),
        createdAtMs: now - index * 1000,
        requests: {
          cpu: of.cpu,
          memory: of.memory,
          ...(of.gpu === undefined ? {} : { 'nvidia.com/gpu': of.gpu }),
        },
        nodeSelector: zoneSelector(of.zone),
        tolerations: of.tolerant ? [toleration] : [],
        hostPorts:
          of.port === undefined
            ? []
            : [{ protocol: 'TCP' as const, hostIp: '0.0.0.0', port: of.port }],
        notJudged: of.unjudged === true ? ['podAntiAffinity'] : [],
      };
    }),
  );

/** A group, and what the ledger remembers of it, if anything. */
interface Remembered {
  readonly group: AutoScalingGroup;
  readonly entry: LedgerEntry | undefined;
}

const groupArbitrary = (name: string): fc.Arbitrary<Remembered> =>
  fc
    .record({
      desired: fc.nat(3),
      room: fc.oneof(
        { arbitrary: fc.integer({ min: 3, max: 9 }), weight: 4 },
        { arbitrary: fc.nat(2), weight: 1 },
      ),
      zones: fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 2 }),
      template: fc.constantFrom('lt-m5', 'lt-m5', 'lt-m5x', 'lt-m5x', 'lt-g4'),
      mixed: rarely(3, fc.constant(true)),
      weighted: rarely(4, fc.constant(true)),
      tainted: rarely(6, fc.constant(true)),
      suspended: rarely(10, fc.constant(true)),
      protected: fc.boolean(),
      instances: fc.array(fc.record({ age: fc.constantFrom(1, 5, 40), inLastZone: fc.boolean() }), {
        maxLength: 3,
      }),
      entry: rarely(2, entryArbitrary),
    })
    .map(({ template, mixed, ...of }) => {
      const type = mixed === true ? 'm5.xlarge' : typeOf[template];
      // In units of weight: the least of a node, so that some sizes are a part of one.
      const units = of.weighted === true ? 2 : 1;
      const weights = of.weighted === true ? weightOf : {};
      const types = mixed === true ? ['m5.large', 'm5.xlarge'] : of.weighted ? [type ?? ''] : [];
      const view = group(name, {
        max: (of.desired + of.room) * units,
        desired: of.desired * units,
        zones: of.zones,
        launchTemplate: { id: template, version: '$Default' },
        overrides: types.map((one) => ({
          ...override(one),
          ...(weights[one] === undefined ? {} : { weight: weights[one] }),
        })),
        tags:
          of.tainted === true
            ? { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'x:NoSchedule' }
            : {},
        suspendedProcesses: of.suspended === true ? ['Launch'] : [],
        newInstancesProtected: of.protected,
        instances: of.instances.slice(0, of.desired).map(({ age, inLastZone }, index) =>
          instance(`i-${name}-${index}-${age}`, {
            zone: of.zones.at(inLastZone ? -1 : 0) ?? '',
            protectedFromScaleIn: of.protected,
            ...(type === undefined ? {} : { type }),
            ...(weights[type ?? ''] === undefined ? {} : { weight: weights[type ?? ''] }),
          }),
        ),
      });
      return { group: view, entry: of.entry && entryOf(view, of.entry) };
    });

const weightOf: Readonly<Record<string, number>> = {
  'm5.large': 2,
  'm5.xlarge': 4,
  'g4dn.xlarge': 3,
};

const typeOf: Readonly<Record<string, string>> = {
  'lt-m5': 'm5.large',
  'lt-m5x': 'm5.xlarge',
  'lt-g4': 'g4dn.xlarge',
};

const entryArbitrary = fc.record({
  more: fc.constantFrom(0, 0, 1, 2),
  confirmedSecondsAgo: fc.constantFrom(5, 50),
  /** Counts only where AWS owes a node: observing forgets it elsewhere. */
  missingMinutes: fc.constantFrom(undefined, undefined, undefined, 5, 12, 20),
  /** Of the instances; later ones are not seen yet. */
  seen: fc.nat(3),
  seenMinutes: fc.constantFrom(1, 10, 30),
  wereUsable: fc.boolean(),
  /** Instances that were starting and are not there; of the second another look has missed it. */
  vanished: fc.constantFrom(0, 0, 0, 1, 2),
  backOff: rarely(
    4,
    fc.record({
      failures: fc.integer({ min: 1, max: 4 }),
      endsInMinutes: fc.constantFrom(-190, -30, -1, 0, 1, 4, 20),
    }),
  ),
  /** The first pods were launched for so often. */
  launchesFor: fc.array(fc.nat(3), { maxLength: 3 }),
  /** The last launch for the first of them, so long ago, is open. */
  openMinutes: fc.constantFrom(undefined, undefined, 3, 20),
});

const entryOf = (
  { name, desired, max, instances, suspendedProcesses }: AutoScalingGroup,
  of: Made<typeof entryArbitrary>,
): LedgerEntry => {
  const to = Math.min(desired + of.more, max);
  const firstSeenMs = now - of.seenMinutes * minute;
  const observation: InstanceObservation = {
    firstSeenMs,
    ...(of.wereUsable ? { usableAtMs: firstSeenMs } : {}),
  };
  const owed = instances.length < to && suspendedProcesses.length === 0;
  return {
    group: name,
    generation: 1,
    ...(to === desired ? {} : { to, toAtMs: now - of.confirmedSecondsAgo * 1000 }),
    ...(of.missingMinutes === undefined || !owed
      ? {}
      : { missingSinceMs: now - of.missingMinutes * minute }),
    instances: Object.fromEntries([
      ...instances.slice(0, of.seen).map(({ id }) => [id, observation]),
      ...(of.vanished > 0 ? [[`i-${name}-vanished`, { firstSeenMs }]] : []),
    ]),
    ...(of.vanished > 1
      ? {
          gone: {
            [`i-${name}-gone`]: { firstSeenMs, goneSinceMs: now - of.confirmedSecondsAgo * 1000 },
          },
        }
      : {}),
    ...(of.backOff === undefined ? {} : { backOff: backOffOf(of.backOff) }),
    ...(of.launchesFor.length === 0
      ? {}
      : {
          launchesFor: Object.fromEntries(
            of.launchesFor.map((count, index) => [`uid-pod-${index}-0`, count]),
          ),
          ...(of.openMinutes === undefined || of.launchesFor[0] === 0
            ? {}
            : { openLaunches: { 'uid-pod-0-0': now - of.openMinutes * minute } }),
        }),
  };
};

const backOffOf = (of: { readonly failures: number; readonly endsInMinutes: number }): BackOff =>
  backOff({
    failures: of.failures,
    atMs: now + Math.min(of.endsInMinutes - 5, 0) * minute,
    untilMs: now + of.endsInMinutes * minute,
  });

/** What AWS tells of launches: not of every group, and not of failures alone. */
const launchesArbitrary = fc.array(
  fc.record({
    group: fc.constantFrom('alpha', 'beta'),
    minutesAgo: fc.constantFrom(0, 1, 4, 12, 40, 400),
    message: fc.constantFrom(noCapacity, noCapacity, 'Rate exceeded'),
    status: fc.constantFrom('failed' as const, 'failed' as const, 'succeeded' as const),
  }),
  { maxLength: 3 },
);

/** Nodes of the instances: the age is in the id; the youngest are not ready. */
const nodesOf = (instances: readonly GroupInstance[]) =>
  instances.map((one) => {
    const age = Number(one.id.split('-').at(-1));
    return nodeOf(one, {
      createdAtMs: now - age * minute,
      ready: age === 1 ? 'False' : 'True',
      labels: { 'topology.kubernetes.io/zone': one.zone },
    });
  });

/** Clusters of which about half need more nodes, some in several groups. */
export const scaleUpInputs: fc.Arbitrary<ScaleUpInput> = fc
  .record({
    groups: fc
      .subarray(['alpha', 'beta', 'gamma', 'delta'], { minLength: 2 })
      .chain((names) => fc.tuple(...names.map(groupArbitrary))),
    loose: fc.nat(1),
    demands: fc.array(
      fc.record({
        of: demand,
        copies: fc.integer({ min: 1, max: 8 }),
        bound: rarely(3, fc.constantFrom('loose-0', 'node-i-alpha-0-5')),
      }),
      { minLength: 1, maxLength: 12, size: 'max' },
    ),
    agents: fc.array(
      fc.record({
        cpu: fc.constantFrom(0, 50, 400),
        tolerant: fc.boolean(),
        port: fc.boolean(),
        zone: rarely(3, fc.constantFrom(...zones)),
      }),
      { maxLength: 2 },
    ),
    launches: rarely(2, launchesArbitrary),
  })
  .map(({ groups, loose, demands, agents, launches }) =>
    scaleUpInput({
      ...(launches === undefined
        ? {}
        : {
            launches: launches.map(({ group: name, minutesAgo, ...over }, index) =>
              failedLaunch(name, minutesAgo, { ...over, id: `activity-${index}` }),
            ),
          }),
      groups: groups.map((one) => one.group),
      ledger: groups.flatMap(({ entry }) => entry ?? []),
      nodes: [
        ...Array.from({ length: loose }, (_, index) => node(`loose-${index}`)),
        ...groups.flatMap((one) => nodesOf(one.group.instances)),
      ],
      pods: toPods(demands),
      daemonSets: agents.map((agent, index) =>
        daemonSet(`agent-${index}`, {
          requests: { cpu: agent.cpu },
          nodeSelector: zoneSelector(agent.zone),
          tolerations: agent.tolerant ? [{ operator: 'Exists' }] : [],
          hostPorts: agent.port ? [{ protocol: 'TCP', hostIp: '0.0.0.0', port: 9100 }] : [],
        }),
      ),
    }),
  );
