import * as z from 'zod';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { instanceTypes } from '#world/instance-types.ts';
import { apiCalls, type Lot, type WorldSpec } from '#world/spec.ts';
import { type Checked, readCheckedYaml } from './checked-yaml.ts';
import { perMille, taint } from './fields.ts';
import { nearestKey } from './nearest-key.ts';
import { kubeletSchema, policyOf, policyShape } from './policy-schema.ts';
import {
  constraintsOf,
  constraintsShape,
  line,
  milliseconds,
  namespacedName,
  span,
  spanOf,
} from './scenario-fields.ts';
import { checkScenario } from './scenario-rules.ts';
import { section } from './schema-problems.ts';

/** A scenario file, checked and with every default filled in. */
export interface Scenario {
  readonly title: string;
  readonly world: WorldSpec;
  readonly policy: ScalingPolicy;
  /** The run ends here at the latest. */
  readonly limitMs: number;
  /** A pod that took longer from creation to Running was late. */
  readonly lateAfterMs: number;
}

/** Every scenario starts here: Monday, 5 January 2026, 09:00 UTC. */
const startMs = 1_767_603_600_000;

const instanceType = z.string().refine((name) => instanceTypes.has(name), {
  error: (issue) => {
    const meant = nearestKey(String(issue.input), [...instanceTypes.keys()]);
    const remedy =
      meant === undefined ? 'use a common one, such as m5.large' : `did you mean ${meant}?`;
    return `is ${JSON.stringify(issue.input)}, a type that simulations do not know: ${remedy}`;
  },
});

/** Names that end up in identifiers: provider ids, journal ids, tag keys. */
const identifier = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, {
  error: 'use letters, digits, dots and hyphens',
});

const count = (most: number) => z.int().min(0).max(most);

/** Which of the instances that a group launches: the first so many, and a share of the others. */
const lot = section({
  first: count(10_000).default(0),
  share: perMille.default(0),
})
  .default({ first: 0, share: 0 })
  .transform(({ first, share }): Lot => ({ first, perMille: share }));

const groupSchema = section({
  name: line(255),
  min: count(10_000).default(0),
  max: count(10_000),
  running: count(10_000).optional(),
  zones: z.array(identifier).min(1).max(10).default(['us-east-1a']),
  instanceTypes: z.array(instanceType).min(1).max(40),
  weights: z.record(instanceType, z.int().min(1).max(999)).optional(),
  labels: z.record(line(317), z.string().max(63)).default({}),
  taints: z.array(taint).max(50).default([]),
  tags: z.record(line(128), z.string().max(256)).default({}),
  suspended: z.array(z.enum(['Launch'])).default([]),
  rootVolumeGiB: z.int().min(8).max(16_384).default(20),
  kubelet: kubeletSchema.optional(),
  launch: span.default(spanOf(2, 6)),
  boot: span.default(spanOf(35, 55)),
  ready: span.default(spanOf(5, 12)),
  devices: span.default(spanOf(0, 0)),
  protected: z
    .union([z.boolean(), section({ new: z.boolean(), running: z.boolean() })], {
      error: 'write true, false, or new: and running: with one of them each',
    })
    .default(true),
  neverRegister: lot,
  neverReady: lot,
  neverDevices: lot,
  crashes: lot,
});

const workloadSchema = section({
  name: namespacedName,
  kind: z.enum(['ReplicaSet', 'StatefulSet', 'Job']).default('ReplicaSet'),
  replicas: z.int().min(1).max(50_000),
  at: milliseconds.default(0),
  every: milliseconds.default(0),
  priority: z.int().min(-2_147_483_648).max(1_000_000_000).default(0),
  start: span.default(spanOf(1, 3)),
  runsFor: span.optional(),
  ...constraintsShape,
});

const daemonSetSchema = section({ name: namespacedName, ...constraintsShape });

const shortageSchema = section({
  group: line(255).optional(),
  zone: identifier.optional(),
  instanceType: instanceType.optional(),
  from: milliseconds.default(0),
  until: milliseconds.optional(),
  launches: z.int().min(1).max(10_000).optional(),
});

const throttleSchema = section({
  call: z.enum(apiCalls),
  limit: count(1_000_000),
  per: milliseconds.refine((ms) => ms > 0, { error: 'is no time at all: use 1s or more' }),
});

const fileSchema = section({
  title: line(70),
  seed: count(2_147_483_647).default(1),
  cluster: identifier.default('demo'),
  region: identifier.default('us-east-1'),
  lastsAtMost: milliseconds.default(1_800_000),
  lateAfter: milliseconds.default(180_000),
  policy: section(policyShape).default({}),
  groups: z.array(groupSchema).min(1).max(1_000),
  workloads: z.array(workloadSchema).min(1).max(1_000),
  daemonSets: z.array(daemonSetSchema).max(100).default([]),
  shortages: z.array(shortageSchema).max(1_000).default([]),
  throttles: z.array(throttleSchema).max(20).default([]),
  lag: section({
    hint: milliseconds.default(0),
    hintsLost: z.boolean().default(false),
    clusterStale: milliseconds.default(0),
    groupsStale: milliseconds.default(0),
  }).prefault({}),
}).superRefine(checkScenario);

type ScenarioFile = z.infer<typeof fileSchema>;

const worldOf = (file: ScenarioFile, policy: ScalingPolicy): WorldSpec => ({
  seed: file.seed,
  startMs,
  cluster: file.cluster,
  region: file.region,
  groups: file.groups.map((group) => ({
    name: group.name,
    min: group.min,
    max: group.max,
    desired: group.running ?? group.min,
    zones: group.zones,
    instanceTypes: group.instanceTypes,
    ...(group.weights === undefined ? {} : { weights: group.weights }),
    labels: group.labels,
    taints: group.taints,
    tags: group.tags,
    suspendedProcesses: group.suspended,
    rootVolumeGiB: group.rootVolumeGiB,
    kubelet: { ...policy.kubelet, ...group.kubelet },
    launch: group.launch,
    boot: group.boot,
    ready: group.ready,
    devices: group.devices,
    newInstancesProtected:
      typeof group.protected === 'boolean' ? group.protected : group.protected.new,
    runningProtected:
      typeof group.protected === 'boolean' ? group.protected : group.protected.running,
    neverRegister: group.neverRegister,
    neverReady: group.neverReady,
    neverDevices: group.neverDevices,
    crashes: group.crashes,
  })),
  workloads: file.workloads.map((workload) => ({
    ...workload.name,
    kind: workload.kind,
    replicas: workload.replicas,
    atMs: workload.at,
    everyMs: workload.every,
    constraints: constraintsOf(workload),
    priority: workload.priority,
    start: workload.start,
    ...(workload.runsFor === undefined ? {} : { runsFor: workload.runsFor }),
  })),
  daemonSets: file.daemonSets.map((set) => ({ ...set.name, constraints: constraintsOf(set) })),
  shortages: file.shortages.map(({ from, until, ...where }) => ({
    ...(where.group === undefined ? {} : { group: where.group }),
    ...(where.zone === undefined ? {} : { zone: where.zone }),
    ...(where.instanceType === undefined ? {} : { instanceType: where.instanceType }),
    ...(where.launches === undefined ? {} : { launches: where.launches }),
    fromMs: from,
    ...(until === undefined ? {} : { untilMs: until }),
  })),
  throttles: file.throttles.map(({ call, limit, per }) => ({ call, limit, perMs: per })),
  lag: {
    hintMs: file.lag.hint,
    hintsLost: file.lag.hintsLost,
    clusterStaleMs: file.lag.clusterStale,
    groupsStaleMs: file.lag.groupsStale,
  },
});

const scenarioSchema = fileSchema.transform((file): Scenario => {
  // Nothing real is at stake here, so a scenario acts unless it says otherwise.
  const policy = policyOf({ ...file.policy, mode: file.policy.mode ?? 'act' });
  return {
    title: file.title,
    world: worldOf(file, policy),
    policy,
    limitMs: file.lastsAtMost,
    lateAfterMs: file.lateAfter,
  };
});

/** Reads a scenario file; every problem names line, field and remedy. Never throws. */
export const readScenario = (text: string, file: string): Checked<Scenario> =>
  readCheckedYaml(text, file, scenarioSchema);
