import * as z from 'zod';
import { defaultKubeletPolicy, type KubeletPolicy, type ReservedAmounts } from '#kubelet/policy.ts';
import {
  type BackOffPolicy,
  defaultBackOffPolicy,
  defaultGangPolicy,
  defaultScalingPolicy,
  type GroupPolicy,
  type ScalingPolicy,
} from '#scaling/policy.ts';
import { choosingOf, choosingShape, groupChoosingShape, headroomOf } from './choosing-schema.ts';
import { amounts, bytes, durationSeconds, milliCpu, perMille, taint } from './fields.ts';
import { section } from './schema-problems.ts';

export const mode = z.enum(['observe', 'act']);

/** Keeps the keys that are there, so that absent ones do not cover defaults. */
const present = <T extends object>(fields: { [Key in keyof T]: T[Key] | undefined }): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>;

const reserved = section({
  cpu: milliCpu.optional(),
  memory: bytes.optional(),
  'ephemeral-storage': bytes.optional(),
}).transform(
  (given): ReservedAmounts => ({
    milliCpu: given.cpu ?? 0,
    memoryBytes: given.memory ?? 0,
    ephemeralStorageBytes: given['ephemeral-storage'] ?? 0,
  }),
);

/** Keys and words are those of the kubelet's own configuration where it has them. */
export const kubeletSchema = section({
  maxPods: z.union([z.enum(['auto', 'eni']), z.int().min(1).max(10_000)]).optional(),
  kubeReserved: z.union([z.literal('formula'), reserved]).optional(),
  systemReserved: reserved.optional(),
  evictionHard: section({
    'memory.available': bytes.optional(),
    'nodefs.available': perMille.optional(),
  }).optional(),
  vmMemoryOverhead: perMille.optional(),
  instanceStorePolicy: z.literal('RAID0').optional(),
}).transform((given) =>
  present<KubeletPolicy>({
    maxPods: given.maxPods,
    kubeReserved: given.kubeReserved,
    systemReserved: given.systemReserved,
    evictionHardMemoryBytes: given.evictionHard?.['memory.available'],
    evictionHardNodefsPerMille: given.evictionHard?.['nodefs.available'],
    vmMemoryOverheadPerMille: given.vmMemoryOverhead,
    instanceStorePolicy: given.instanceStorePolicy,
  }),
);

const groupSchema = section({
  match: z.string().min(1).max(255),
  mode: mode.optional(),
  labels: z.record(z.string().min(1), z.string()).optional(),
  taints: z.array(taint).max(50).optional(),
  resources: amounts.optional(),
  startLimit: durationSeconds.optional(),
  kubelet: kubeletSchema.optional(),
  ...groupChoosingShape,
}).transform(
  ({ match, ...given }): GroupPolicy => ({
    match,
    ...present<Omit<GroupPolicy, 'match'>>({
      mode: given.mode,
      labels: given.labels,
      taints: given.taints,
      resources: given.resources,
      startLimitSeconds: given.startLimit,
      kubelet: given.kubelet,
      maxNodes: given.maxNodes,
      headroom: given.headroom && headroomOf(given.headroom),
    }),
  }),
);

/** The keys of one cluster that make its policy. */
export const policyShape = {
  mode: mode.optional(),
  scaling: section({
    priorityCutoff: z.int().min(-2_147_483_648).max(2_147_483_647).optional(),
    startLimit: durationSeconds.optional(),
    maxNodesPerDecision: z.int().min(1).max(10_000).optional(),
    trialsPerDecision: z.int().min(1_000_000).max(1_000_000_000_000).optional(),
    ...choosingShape,
    backOff: section({
      initial: durationSeconds.optional(),
      max: durationSeconds.optional(),
      reset: durationSeconds.optional(),
    }).optional(),
    launchesPerPod: z.int().min(1).max(100).optional(),
    schedulers: z.array(z.string().min(1).max(253)).min(1).max(20).optional(),
    preemptionLimit: durationSeconds.optional(),
    startupTaints: z.array(z.string().min(1).max(317)).max(100).optional(),
  }).optional(),
  kubelet: kubeletSchema.optional(),
  groups: z.array(groupSchema).max(1000).optional(),
} as const;

const policyObject = section(policyShape);

/** Fills in the defaults of #scaling/policy.ts and #kubelet/policy.ts. */
export const policyOf = (given: z.infer<typeof policyObject>): ScalingPolicy => ({
  ...defaultScalingPolicy,
  ...choosingOf(given.scaling, defaultGangPolicy),
  ...present<Omit<ScalingPolicy, 'expander'>>({
    mode: given.mode,
    priorityCutoff: given.scaling?.priorityCutoff,
    startLimitSeconds: given.scaling?.startLimit,
    maxNodesPerDecision: given.scaling?.maxNodesPerDecision,
    trialsPerDecision: given.scaling?.trialsPerDecision,
    backOff: {
      ...defaultBackOffPolicy,
      ...present<BackOffPolicy>({
        initialSeconds: given.scaling?.backOff?.initial,
        maxSeconds: given.scaling?.backOff?.max,
        resetSeconds: given.scaling?.backOff?.reset,
      }),
    },
    launchesPerPod: given.scaling?.launchesPerPod,
    schedulers: given.scaling?.schedulers,
    preemptionLimitSeconds: given.scaling?.preemptionLimit,
    startupTaints: given.scaling?.startupTaints,
    groups: given.groups,
    kubelet: { ...defaultKubeletPolicy, ...given.kubelet },
  }),
});
