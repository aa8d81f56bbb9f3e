import type { PodAffinityTerm } from '#cluster/constraints.ts';
import type { PodView } from '#cluster/snapshot.ts';
import { MiB, pod } from '../../helpers/scaling-builders.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';

const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;

const termOf = (app: string, topologyKey: string): PodAffinityTerm => ({
  topologyKey,
  selector: { matchLabels: { app }, matchExpressions: [] },
  namespaces: ['default'],
});

const apart = (app: string, topologyKey: string): Partial<PodView> => ({
  podAntiAffinity: { required: [termOf(app, topologyKey)], preferred: [] },
});

const spread = (app: string, topologyKey: string): Partial<PodView> => ({
  topologySpread: [
    {
      topologyKey,
      selector: { matchLabels: { app }, matchExpressions: [] },
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
    },
  ],
});

/** What the pods of a workload want, by its `app` label and number. */
export type Constraint = (app: string, workload: number) => Partial<PodView>;

const none: Constraint = () => ({});
const overZones: Constraint = (app) => spread(app, zone);
const inOneZone: Constraint = (app) => ({
  podAffinity: { required: [termOf(app, zone)], preferred: [] },
});
const inThatZone: Constraint = (_, workload) => ({
  nodeSelector: { [zone]: zones[workload % zones.length] ?? zones[0] },
});

/** Constraints of workloads of many pods: volumes and the like keep some of them to a zone. */
export const ofMany: readonly Constraint[] = [none, none, inThatZone];

/** Those of workloads of few pods: a node each, a port of the node, a zone where others run. */
export const ofFew: readonly Constraint[] = [
  none,
  overZones,
  (app) => apart(app, hostname),
  inOneZone,
  inThatZone,
  (app) => spread(app, hostname),
  () => ({ hostPorts: [{ protocol: 'TCP', hostIp: '0.0.0.0', port: 9100 }] }),
  (_, workload) => ({
    podAffinity: { required: [termOf(`app-${workload % 500}`, zone)], preferred: [] },
  }),
];

export interface MixedSize {
  readonly pods: number;
  readonly workloads: number;
  /** Workloads have them by turns. */
  readonly constraints: readonly Constraint[];
  /** What they ask for, by the number of the workload: milli-CPU and MiB. */
  readonly milliCpuOf: (workload: number) => number;
  readonly memoryMiBOf: (workload: number) => number;
}

/** Pending pods of that many workloads, equally many of each, by their number. */
export const mixedPods = ({
  pods,
  workloads,
  constraints,
  milliCpuOf,
  memoryMiBOf,
}: MixedSize): PodView[] =>
  Array.from({ length: pods }, (_, index) => {
    const workload = index % workloads;
    const app = `pending-${workload}`;
    const constraint = constraints[workload % constraints.length];
    return pod(`${app}-${index}`, {
      labels: { app },
      requests: { cpu: milliCpuOf(workload), memory: memoryMiBOf(workload) * MiB },
      ...constraint?.(app, workload),
    });
  });
