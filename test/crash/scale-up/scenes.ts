import type { Scene, SceneEnd, SceneGroup, SceneWorkload } from './scene.ts';

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

const backedOff: NonNullable<Scene['ledger']> = ({ nowMs }) => [
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
];

/** The sizes that groups are set to, and nothing that anybody is woken for. */
const sizes = (of: Readonly<Record<string, readonly number[]>>): SceneEnd => ({
  changes: Object.entries(of).map(([group, each]) => ({ group, sizes: each })),
  paged: [],
});

export const scenes: readonly Scene[] = [
  {
    name: 'raise',
    about: 'pods wait, one group is raised',
    groups: [workersA],
    workloads: [web],
    trigger: 'pod-pending',
    settled: sizes({ 'workers-a': [3] }),
    early: { looks: 1 },
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
    settled: sizes({ 'workers-a': [3], 'workers-b': [2] }),
    early: { looks: 1 },
  },
  {
    name: 'open-intent',
    about: 'the look before died before its raise',
    groups: [workersA],
    workloads: [web],
    ledger: openIntent,
    trigger: 'sweep',
    settled: sizes({ 'workers-a': [3] }),
    early: { looks: 1 },
  },
  {
    name: 'open-intent-raised',
    about: 'the look before died after its raise',
    groups: [{ ...workersA, desired: 3 }],
    workloads: [web],
    ledger: openIntent,
    trigger: 'sweep',
    settled: sizes({}),
    early: { looks: 1 },
  },
  {
    name: 'take-back',
    about: 'a group launches nothing: its failed part is taken back, another is raised',
    groups: [{ ...workersA, desired: 3, launchesFail: true }, workersB],
    workloads: [web],
    ledger: backedOff,
    trigger: 'sweep',
    settled: sizes({ 'workers-a': [0], 'workers-b': [2] }),
    early: { looks: 1 },
  },
  {
    name: 'take-back-refused',
    about: 'a group launches nothing, and loses its protection before its part is taken back',
    groups: [{ ...workersA, desired: 3, launchesFail: true }, workersB],
    workloads: [web],
    ledger: backedOff,
    protectionLost: 'workers-a',
    trigger: 'sweep',
    settled: sizes({ 'workers-b': [2] }),
    early: { looks: 1 },
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
    settled: { changes: [], paged: ['launches-without-binding pod default/web-1'] },
    early: { looks: 1 },
  },
  {
    name: 'quiet',
    about: 'nothing waits, nothing is on its way, and the last look said so',
    groups: [workersA],
    workloads: [],
    lookedBefore: true,
    trigger: 'sweep',
    settled: sizes({}),
    early: { looks: 1 },
  },
  {
    name: 'limited',
    about: 'one decision may not add as many nodes as the pods need: the look wakes itself',
    groups: [workersA],
    workloads: [web],
    policy: { maxNodesPerDecision: 2 },
    wordsMayDiffer: true,
    trigger: 'pod-pending',
    settled: sizes({ 'workers-a': [2, 3] }),
    early: { looks: 2 },
  },
  {
    name: 'gone',
    about: 'a group that the ledger remembers is gone, and a Node claims a foreign instance',
    groups: [workersA],
    workloads: [web],
    ledger: () => [{ group: 'departed', generation: 2, instances: {} }],
    foreignNode: true,
    trigger: 'sweep',
    settled: sizes({ 'workers-a': [2] }),
    early: { looks: 1 },
  },
  {
    name: 'held',
    about: 'somebody died holding the lease: the look leaves a mark and wakes itself',
    groups: [workersA],
    workloads: [web],
    lease: 'held',
    trigger: 'pod-pending',
    settled: sizes({ 'workers-a': [3] }),
    early: { looks: 1 },
  },
  {
    name: 'marked',
    about: 'a wake-up finds the mark in the lease of somebody who died',
    groups: [workersA],
    workloads: [web],
    lease: 'marked',
    trigger: 'marked',
    settled: sizes({ 'workers-a': [3] }),
    early: { looks: 1 },
  },
  {
    name: 'marked-no-more',
    about: 'a wake-up finds that its mark has been taken care of',
    groups: [workersA],
    workloads: [],
    trigger: 'marked',
    settled: sizes({}),
    early: { looks: 0 },
  },
  {
    name: 'marked-meanwhile',
    about: 'somebody leaves a mark while the look is taken: it looks again',
    groups: [workersA],
    workloads: [web],
    lease: 'markedMeanwhile',
    trigger: 'pod-pending',
    settled: sizes({ 'workers-a': [3] }),
    early: { looks: 2 },
  },
];
