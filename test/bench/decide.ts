import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterLists } from '#adapters/kubernetes/cluster-lists.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUpDecision } from '#scaling/decision.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { clientOfFiles, writeList } from './list-files.ts';
import {
  lookedAtMs,
  nodeGroupsOf,
  type RawClusterSize,
  rawDaemonSets,
  rawNodes,
  rawPods,
} from './raw-cluster.ts';
import { type Timed, timed, timesOf } from './timed.ts';
import type { Figures, Workload, WorkloadOptions } from './workload.ts';

const runs = 5;
const defaultNodes = 1000;

const sizeOf = (options: WorkloadOptions): RawClusterSize => {
  const nodes = options.size ?? defaultNodes;
  return {
    nodes,
    runningPerNode: 30,
    pending: options.pending ?? 2 * nodes,
    kinds: options.kinds ?? 50,
    groups: options.groups ?? 10,
  };
};

interface Run {
  readonly reading: Timed<ClusterSnapshot>;
  readonly deciding: Timed<ScaleUpDecision>;
}

/** Reads all anew and decides: what a look does between the answers of the API server and the raise. */
const look = async (api: ClusterApi, size: RawClusterSize): Promise<Run> => {
  const reading = await timed(async () => {
    const { snapshot, problems } = await api.snapshot();
    if (problems.length > 0) throw new Error(`made badly: ${JSON.stringify(problems[0])}`);
    return snapshot;
  });
  const input = {
    cluster: 'bench',
    snapshot: reading.value,
    nodeGroups: nodeGroupsOf(size),
    ledger: [],
    policy: defaultScalingPolicy,
    nowMs: lookedAtMs,
  };
  return { reading, deciding: await timed(() => decideScaleUp(input)) };
};

const outcomeOf = ({ scaleUps, fits, stuck }: ScaleUpDecision) => ({
  placed: fits.length + scaleUps.reduce((sum, { pods }) => sum + pods.length, 0),
  fits: fits.length,
  stuck: stuck.length,
  newNodes: scaleUps.reduce((sum, { from, to }) => sum + to - from, 0),
});

const run = async (options: WorkloadOptions): Promise<Figures> => {
  const size = sizeOf(options);
  const folder = mkdtempSync(join(tmpdir(), 'outrider-bench-'));
  try {
    const lists = {
      ...Object.fromEntries(
        clusterLists.map(({ path, plural }) => [path, writeList(folder, plural, [])]),
      ),
      '/api/v1/nodes': writeList(folder, 'nodes', rawNodes(size)),
      '/api/v1/pods': writeList(folder, 'pods', rawPods(size)),
      '/apis/apps/v1/daemonsets': writeList(folder, 'daemonsets', rawDaemonSets()),
    };
    const api = kubernetesClusterApi(clientOfFiles(lists));
    const readings: Timed<unknown>[] = [];
    const decidings: Timed<unknown>[] = [];
    const decisions = new Set<string>();
    let outcome = {};
    for (let index = 0; index < runs; index += 1) {
      const { reading, deciding } = await look(api, size);
      readings.push({ ...reading, value: undefined });
      decidings.push({ ...deciding, value: undefined });
      decisions.add(JSON.stringify(deciding.value));
      outcome = outcomeOf(deciding.value);
    }
    if (decisions.size > 1) throw new Error('the same cluster was decided in several ways');
    const read = timesOf(readings);
    const bytes = Object.values(lists).reduce((sum, list) => sum + list.bytes, 0);
    return {
      size: size.nodes,
      nodes: lists['/api/v1/nodes'].objects,
      pods: lists['/api/v1/pods'].objects,
      pending: size.pending,
      kinds: size.kinds,
      groups: size.groups,
      ...outcome,
      ...timesOf(decidings),
      peakMemoryMiB: Number((process.resourceUsage().maxRSS / 1024).toFixed(1)),
      readWallSeconds: read.wallSeconds,
      readCpuSeconds: read.cpuSeconds,
      coldReadCpuSeconds: read.coldCpuSeconds,
      inputMiB: Number((bytes / 2 ** 20).toFixed(1)),
      runs,
      node: process.version,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const decide: Workload = {
  name: 'decide',
  about: 'reading a cluster from the JSON of its API server, and deciding on its Pending pods',
  options: [
    `--size N     nodes, with 30 running pods each (${defaultNodes})`,
    '--pending N  Pending pods (twice the nodes)',
    '--kinds N    of Pending pods, each with demands of its own (50)',
    '--groups N   node groups (10)',
  ],
  run,
  render: (figures) => [
    `${figures.nodes} nodes, ${figures.pods} pods, of which ${figures.pending} of ${figures.kinds} kinds are Pending; ${figures.groups} groups`,
    `placed ${figures.placed}, of which ${figures.fits} on nodes there are; stuck ${figures.stuck}; ${figures.newNodes} new nodes`,
    '           wall       CPU  CPU of the first run',
    `read   ${figures.readWallSeconds} s  ${figures.readCpuSeconds} s  ${figures.coldReadCpuSeconds} s (${figures.inputMiB} MiB of JSON)`,
    `decide ${figures.wallSeconds} s  ${figures.cpuSeconds} s  ${figures.coldCpuSeconds} s`,
    `medians of ${figures.runs} runs in one process; peak memory ${figures.peakMemoryMiB} MiB`,
  ],
};
