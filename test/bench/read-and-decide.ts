import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type KubeAccess, type KubeClient, kubeClient } from '../testbed/kube-client.ts';
import { startBareControlPlane } from './bare-control-plane.ts';
import { fillEtcd } from './fill-etcd.ts';
import { median } from './median.ts';
import { type RawClusterSize, rawDaemonSets, rawNodes, rawPods } from './raw-cluster.ts';
import type { ChildTask, LookFigures } from './read-and-decide-child.ts';
import type { Figures, Workload, WorkloadOptions } from './workload.ts';

const defaultPods = 3_000;
const podsPerNode = 30;
/** Looks with deltas, after so many changes each. */
const deltaLooks = 5;
const changesPerLook = 60;

const childFile = fileURLToPath(new URL('./read-and-decide-child.ts', import.meta.url));

/** `size` pods, of which one in thirty is Pending, on a thirtieth as many nodes. */
const sizeOf = (options: WorkloadOptions): RawClusterSize => {
  const pods = options.size ?? defaultPods;
  const nodes = Math.max(1, Math.floor(pods / podsPerNode));
  return {
    nodes,
    runningPerNode: podsPerNode - 1,
    pending: Math.max(0, pods - nodes * (podsPerNode - 1)),
    kinds: options.kinds ?? 50,
    groups: options.groups ?? 10,
  };
};

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const fill = (size: RawClusterSize) => (etcdUrl: string) =>
  fillEtcd(
    etcdUrl,
    [
      { apiVersion: 'v1', kind: 'Node', prefix: '/registry/minions', objects: rawNodes(size) },
      { apiVersion: 'v1', kind: 'Pod', prefix: '/registry/pods/default', objects: rawPods(size) },
      {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        prefix: '/registry/daemonsets/default',
        objects: rawDaemonSets(),
      },
    ],
    progress,
  );

interface Child {
  look(): Promise<LookFigures>;
  stop(): Promise<void>;
}

/** A process of its own, so that time and memory are those of the looks alone. */
const startLooking = (task: ChildTask): Child => {
  const child = spawn(process.execPath, [childFile], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(`${JSON.stringify(task)}\n`);
  return {
    async look() {
      child.stdin.write('\n');
      const { done, value } = await lines.next();
      if (done === true) throw new Error('the process that looks has ended');
      return JSON.parse(value) as LookFigures;
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
};

const path = '/api/v1/namespaces/default/pods';

/** Marks pods, so that each change can be seen in a snapshot: the same pod never twice. */
const changePods = async (admin: KubeClient, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    await admin.patch(`${path}/${name}`, 'merge', {
      metadata: { labels: { 'bench-changed': '1' } },
    });
  }
};

/**
 * A store in which nothing ever changed is none: with a first change to each kind the API server's cache keeps the
 * states from which it answers the later pages of a list.
 */
const settle = async (admin: KubeClient, pod: string): Promise<void> => {
  const touch = { metadata: { annotations: { 'bench-touched': '1' } } };
  const { items } = await admin.get<{ readonly items: readonly { metadata: { name: string } }[] }>(
    '/api/v1/nodes?limit=1',
  );
  await admin.patch(`/api/v1/nodes/${items[0]?.metadata.name}`, 'merge', touch);
  await admin.patch(`${path}/${pod}`, 'merge', touch);
};

const podNames = (size: RawClusterSize): readonly string[] => {
  const most = 1 + deltaLooks * changesPerLook;
  const names: string[] = [];
  for (const pod of rawPods(size)) {
    names.push((pod as { readonly metadata: { readonly name: string } }).metadata.name);
    if (names.length === most) break;
  }
  return names;
};

const measure = async (access: KubeAccess, size: RawClusterSize) => {
  const admin = kubeClient(access);
  const child = startLooking({ access, size, followFrom: 50 });
  try {
    const [touched = '', ...names] = podNames(size);
    await settle(admin, touched);
    progress('looking at all of it');
    const cold = await child.look();
    const deltas: LookFigures[] = [];
    for (let look = 0; look < deltaLooks; look += 1) {
      const from = look * changesPerLook;
      await changePods(admin, names.slice(from, from + changesPerLook));
      progress(`looking again after ${changesPerLook} changes`);
      deltas.push(await child.look());
      const expected = Math.min(names.length, from + changesPerLook);
      if (deltas.at(-1)?.changed !== expected) {
        throw new Error(`${deltas.at(-1)?.changed} changes seen of ${expected}`);
      }
    }
    return { cold, deltas };
  } finally {
    admin.close();
    await child.stop();
  }
};

const rounded = (value: number): number => Number(value.toFixed(3));
const mebibytes = (bytes: number): number => Number((bytes / 2 ** 20).toFixed(2));

const figuresOf = (
  size: RawClusterSize,
  cold: LookFigures,
  deltas: readonly LookFigures[],
): Figures => {
  const of = (key: keyof LookFigures): number => median(deltas.map((look) => look[key]));
  const wall = ({ readWallSeconds, decideWallSeconds }: LookFigures): number =>
    readWallSeconds + decideWallSeconds;
  const cpu = ({ readCpuSeconds, decideCpuSeconds }: LookFigures): number =>
    readCpuSeconds + decideCpuSeconds;
  return {
    size: cold.pods,
    nodes: cold.nodes,
    pods: cold.pods,
    pending: size.pending,
    placed: cold.placed,
    stuck: cold.stuck,
    wallSeconds: rounded(median(deltas.map(wall))),
    cpuSeconds: rounded(median(deltas.map(cpu))),
    coldWallSeconds: rounded(wall(cold)),
    coldCpuSeconds: rounded(cpu(cold)),
    coldReadWallSeconds: rounded(cold.readWallSeconds),
    coldReadCpuSeconds: rounded(cold.readCpuSeconds),
    readWallSeconds: rounded(of('readWallSeconds')),
    readCpuSeconds: rounded(of('readCpuSeconds')),
    slowestWallSeconds: rounded(Math.max(...deltas.map(wall))),
    decideWallSeconds: rounded(of('decideWallSeconds')),
    coldPeakMemoryMiB: rounded(cold.peakMemoryMiB),
    peakMemoryMiB: rounded(Math.max(...deltas.map(({ peakMemoryMiB }) => peakMemoryMiB))),
    coldReceivedMiB: mebibytes(cold.receivedBytes),
    receivedMiB: mebibytes(of('receivedBytes')),
    runs: deltas.length,
    changes: changesPerLook,
    node: process.version,
  };
};

const run = async (options: WorkloadOptions): Promise<Figures> => {
  const size = sizeOf(options);
  const folder = mkdtempSync(join(tmpdir(), 'outrider-bench-'));
  try {
    const plane = await startBareControlPlane(folder, progress, fill(size));
    try {
      const { cold, deltas } = await measure(plane.access, size);
      if (cold.problems > 0) throw new Error('made badly: the snapshot has problems');
      return figuresOf(size, cold, deltas);
    } finally {
      await plane.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const readAndDecide: Workload = {
  name: 'read-and-decide',
  about: "reading a cluster from the test bed's API server and deciding, at first and with deltas",
  options: [
    `--size N     pods, on a thirtieth as many nodes, one in thirty Pending (${defaultPods})`,
    '--kinds N    of Pending pods, each with demands of its own (50)',
    '--groups N   node groups (10)',
  ],
  run,
  render: (figures) => [
    `${figures.nodes} nodes, ${figures.pods} pods, of which ${figures.pending} are Pending: ${figures.placed} placed, ${figures.stuck} stuck`,
    '              wall       CPU  received  peak memory',
    `first look  ${figures.coldWallSeconds} s  ${figures.coldCpuSeconds} s  ${figures.coldReceivedMiB} MiB  ${figures.coldPeakMemoryMiB} MiB`,
    `later looks ${figures.wallSeconds} s  ${figures.cpuSeconds} s  ${figures.receivedMiB} MiB  ${figures.peakMemoryMiB} MiB`,
    `medians of ${figures.runs} looks after ${figures.changes} changes each, the slowest ${figures.slowestWallSeconds} s; API server and etcd on the same machine`,
  ],
};
