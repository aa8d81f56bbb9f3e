import type { LedgerEntry } from '#scaling/ledger.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';

/** What a look at a cluster finds, told so that both a simulated and an emulated account can be set to it. */
export interface Scene {
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  readonly groups: readonly SceneGroup[];
  readonly workloads: readonly SceneWorkload[];
  /** What earlier looks have left in the ledger. */
  readonly ledger?: (found: FoundPods) => readonly LedgerEntry[];
  readonly policy?: Partial<ScalingPolicy>;
  /**
   * What others do with the lease. `held`: somebody died holding it. `marked`: the same, and left a mark in it.
   * `markedMeanwhile`: somebody finds it held by this look.
   */
  readonly lease?: 'held' | 'marked' | 'markedMeanwhile';
  /** A Node claims an instance of another cluster's group. */
  readonly foreignNode?: true;
  /** A look before, so that this one finds the journal as it leaves it. */
  readonly lookedBefore?: true;
  /** A pod may hear of a limit, or of its node at once: it depends on how far the looks came. */
  readonly wordsMayDiffer?: true;
  /** Why the look is taken. */
  readonly trigger: 'pod-pending' | 'sweep' | 'marked';
}

export interface SceneGroup {
  readonly name: string;
  readonly instanceType: 'm5.large' | 'm5.xlarge';
  readonly max: number;
  /** At the start. Default: 0. */
  readonly desired?: number;
  /** EC2 has no capacity for it. */
  readonly launchesFail?: true;
  /** The label `pool` of its nodes. */
  readonly pool?: string;
}

/** Pods that the scheduler has refused, alike but for their names. */
export interface SceneWorkload {
  readonly name: string;
  readonly replicas: number;
  readonly milliCpu: number;
  /** Only nodes with this label `pool` will do. */
  readonly pool?: string;
}

/** The scene's pods and time, for those entries that name them. */
export interface FoundPods {
  readonly cluster: string;
  readonly nowMs: number;
  uidsOf(workload: string): readonly string[];
}

const workersA: SceneGroup = { name: 'workers-a', instanceType: 'm5.large', max: 5 };
const workersB: SceneGroup = { name: 'workers-b', instanceType: 'm5.xlarge', max: 5 };
/** One for each node of workers-a. */
const web: SceneWorkload = { name: 'web', replicas: 3, milliCpu: 1500 };

const openIntent: NonNullable<Scene['ledger']> = ({ cluster, nowMs, uidsOf }) => [
  {
    group: 'workers-a',
    generation: 1,
    instances: {},
    intent: {
      id: `${cluster}/workers-a/1`,
      from: 0,
      to: 3,
      pods: uidsOf('web'),
      atMs: nowMs,
      decision: `${cluster}/scale-up/1`,
    },
  },
];

export const scenes: readonly Scene[] = [
  {
    name: 'raise',
    about: 'pods wait, one group is raised',
    groups: [workersA],
    workloads: [web],
    trigger: 'pod-pending',
  },
  {
    name: 'two-raises',
    about: 'two groups are raised, and nothing can host one pod',
    groups: [
      { ...workersA, pool: 'a' },
      { ...workersB, pool: 'b' },
    ],
    workloads: [
      { ...web, pool: 'a' },
      { name: 'shop', replicas: 2, milliCpu: 3000, pool: 'b' },
      { name: 'huge', replicas: 1, milliCpu: 500_000 },
    ],
    trigger: 'pod-pending',
  },
  {
    name: 'open-intent',
    about: 'the look before died before its raise',
    groups: [workersA],
    workloads: [web],
    ledger: openIntent,
    trigger: 'sweep',
  },
  {
    name: 'open-intent-raised',
    about: 'the look before died after its raise',
    groups: [{ ...workersA, desired: 3 }],
    workloads: [web],
    ledger: openIntent,
    trigger: 'sweep',
  },
  {
    name: 'take-back',
    about: 'a group launches nothing: its failed part is taken back, another is raised',
    groups: [{ ...workersA, desired: 3, launchesFail: true }, workersB],
    workloads: [web],
    ledger: ({ nowMs }) => [
      {
        group: 'workers-a',
        generation: 1,
        instances: {},
        missingSinceMs: nowMs - 60_000,
        backOff: {
          failures: 1,
          atMs: nowMs - 30_000,
          untilMs: nowMs + 1_800_000,
          code: 'InsufficientInstanceCapacity',
          message: 'no capacity',
        },
      },
    ],
    trigger: 'sweep',
  },
  {
    name: 'page',
    about: 'three launches have brought a pod nothing: somebody is paged',
    groups: [workersA],
    workloads: [{ ...web, replicas: 1 }],
    ledger: ({ uidsOf }) => [
      {
        group: 'workers-a',
        generation: 3,
        instances: {},
        launchesFor: Object.fromEntries(uidsOf('web').map((uid) => [uid, 3])),
      },
    ],
    trigger: 'pod-pending',
  },
  {
    name: 'quiet',
    about: 'nothing waits, nothing is on its way, and the last look said so',
    groups: [workersA],
    workloads: [],
    lookedBefore: true,
    trigger: 'sweep',
  },
  {
    name: 'limited',
    about: 'one decision may not add as many nodes as the pods need: the look wakes itself',
    groups: [workersA],
    workloads: [web],
    policy: { maxNodesPerDecision: 2 },
    wordsMayDiffer: true,
    trigger: 'pod-pending',
  },
  {
    name: 'gone',
    about: 'a group that the ledger remembers is gone, and a Node claims a foreign instance',
    groups: [workersA],
    workloads: [web],
    ledger: () => [{ group: 'departed', generation: 2, instances: {} }],
    foreignNode: true,
    trigger: 'sweep',
  },
  {
    name: 'held',
    about: 'somebody died holding the lease: the look leaves a mark and wakes itself',
    groups: [workersA],
    workloads: [web],
    lease: 'held',
    trigger: 'pod-pending',
  },
  {
    name: 'marked',
    about: 'a wake-up finds the mark in the lease of somebody who died',
    groups: [workersA],
    workloads: [web],
    lease: 'marked',
    trigger: 'marked',
  },
  {
    name: 'marked-meanwhile',
    about: 'somebody leaves a mark while the look is taken: it looks again',
    groups: [workersA],
    workloads: [web],
    lease: 'markedMeanwhile',
    trigger: 'pod-pending',
  },
];
