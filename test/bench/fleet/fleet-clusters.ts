import { defaultKubeletPolicy } from '#kubelet/policy.ts';
import type { WorldGroup, WorldSpec, WorldWorkload } from '#world/spec.ts';
import { askingMinute } from './asking-minute.ts';
import { fleetStartMs, minuteMs } from './fleet-time.ts';

/** What kind of hour a cluster has. */
export type ClusterKind = 'idle' | 'busy' | 'failing';

export interface FleetCluster {
  readonly name: string;
  readonly kind: ClusterKind;
  /** `main`, where Outrider runs, or the number of another account. */
  readonly account: string;
  /** Without one only sweeps find its pods. */
  readonly relay: boolean;
  /** When its pods come, from the start; undefined where none does. */
  readonly podsAtMs: number | undefined;
}

/** One in twenty gets pods that need a node; one in fifty does so while a group of it is short of capacity. */
const kindOf = (index: number): ClusterKind => {
  if (index % 20 === 7) return 'busy';
  return index % 50 === 13 ? 'failing' : 'idle';
};

/** One in twenty is in one of five other accounts. */
const accountOf = (index: number): string =>
  index % 20 === 9 ? `${Math.floor(index / 20) % 5}` : 'main';

/** Minutes before the hour that is measured: caches fill, and every cluster is found quiet. */
export const warmUpMinutes = 10;

/** So long after the cluster's own sweep its pods come. */
const afterSweepMs = 10_000;

export const fleetClusters = (clusters: number): readonly FleetCluster[] =>
  Array.from({ length: clusters }, (_, index): FleetCluster => {
    const name = `c${String(index).padStart(4, '0')}`;
    const kind = kindOf(index);
    const sweepSecond = Math.floor(index / sweepsPerSecond(clusters));
    // In the minute after the asking one, so that the looks it causes are beside that one; spread over an hour.
    const minute = warmUpMinutes + 5 * (index % 8) + ((askingMinute(name) + 1) % 5);
    return {
      name,
      kind,
      account: accountOf(index),
      relay: Math.floor(index / 20) % 4 !== 3,
      podsAtMs:
        kind === 'idle' ? undefined : minute * minuteMs + sweepSecond * 1_000 + afterSweepMs,
    };
  });

/** As the sweep spreads its messages. */
export const sweepsPerSecond = (clusters: number): number => Math.max(20, Math.ceil(clusters / 50));

const exactly = (seconds: number) => ({ fromMs: seconds * 1_000, toMs: seconds * 1_000 });
const none = { first: 0, perMille: 0 };

const groupOf = (cluster: string, name: string, over: Partial<WorldGroup>): WorldGroup => ({
  name: `${cluster}.${name}`,
  min: 0,
  max: 10,
  desired: 0,
  zones: ['us-east-1a'],
  instanceTypes: ['m5.large'],
  launchTemplateVersion: '1',
  labels: {},
  taints: [],
  tags: {},
  suspendedProcesses: [],
  rootVolumeGiB: 20,
  kubelet: defaultKubeletPolicy,
  launch: exactly(3),
  boot: exactly(35),
  ready: exactly(10),
  devices: exactly(0),
  newInstancesProtected: true,
  runningProtected: true,
  neverRegister: none,
  neverReady: none,
  neverDevices: none,
  crashes: none,
  ...over,
});

const workloadOf = (name: string, over: Partial<WorldWorkload>): WorldWorkload => ({
  namespace: 'shop',
  name,
  kind: 'ReplicaSet',
  replicas: 1,
  atMs: 0,
  everyMs: 0,
  constraints: {
    requests: { cpu: 700, memory: 2 ** 30 },
    nodeSelector: {},
    tolerations: [],
    hostPorts: [],
    notJudged: [],
  },
  priority: 0,
  start: exactly(1),
  ...over,
});

/**
 * Three groups, of which one has two nodes, full of pods; two launch template versions are named by number
 * and one as `$Default`; then pods that need one more node.
 */
export const worldOf = (cluster: FleetCluster, seed: number): WorldSpec => {
  const { name, kind, podsAtMs } = cluster;
  return {
    seed,
    startMs: fleetStartMs,
    cluster: name,
    region: 'us-east-1',
    groups: [
      groupOf(name, 'a', { desired: 2 }),
      groupOf(name, 'b', { instanceTypes: ['m6i.large'], launchTemplateVersion: '$Default' }),
      groupOf(name, 'c', { instanceTypes: ['c5.large'] }),
    ],
    workloads: [
      workloadOf('running', { replicas: 4 }),
      ...(podsAtMs === undefined ? [] : [workloadOf('new', { replicas: 2, atMs: podsAtMs })]),
    ],
    daemonSets: [],
    // The one that is taken first, since it is filled best.
    shortages: kind === 'failing' ? [{ group: `${name}.c`, fromMs: 0 }] : [],
    throttles: [],
    lag: { hintMs: 0, hintsLost: !cluster.relay, clusterStaleMs: 0, groupsStaleMs: 0 },
  };
};
