import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { createApiClient } from '#adapters/kubernetes/api-client.ts';
import { knownClusters } from '#adapters/kubernetes/known-clusters.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import type { KubeAccess } from '../testbed/kube-client.ts';
import { lookedAtMs, nodeGroupsOf, type RawClusterSize } from './raw-cluster.ts';
import { timed } from './timed.ts';

/*
 * One process, as a function's: its first line of input is what to look at, each further line one look; each look
 * is answered by a line of JSON.
 */

export interface ChildTask {
  readonly access: KubeAccess;
  readonly size: RawClusterSize;
  /** Kinds with at least so many objects are followed. */
  readonly followFrom: number;
}

export interface LookFigures {
  readonly readWallSeconds: number;
  readonly readCpuSeconds: number;
  readonly decideWallSeconds: number;
  readonly decideCpuSeconds: number;
  /** Of the process so far. */
  readonly peakMemoryMiB: number;
  /** As they came over the network: packed by the API server. */
  readonly receivedBytes: number;
  readonly nodes: number;
  readonly pods: number;
  readonly problems: number;
  /** Versions of the pods that were changed, for the parent to see that this is what it made. */
  readonly changed: number;
  readonly placed: number;
  readonly stuck: number;
}

const sockets = new Set<Socket>();
subscribe('http.client.request.start', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  if (request.socket) sockets.add(request.socket);
  else request.once('socket', (socket) => sockets.add(socket));
});
const received = (): number => {
  let sum = 0;
  for (const socket of sockets) sum += socket.bytesRead;
  return sum;
};

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
const task = JSON.parse(String(first.value)) as ChildTask;
const client = createApiClient(task.access);
const api = kubernetesClusterApi(client, {
  known: knownClusters().of('bench'),
  followFrom: task.followFrom,
  // The figures are wanted on a busy machine too.
  snapshotMs: 300_000,
});
const nodeGroups = nodeGroupsOf(task.size);

const decide = (snapshot: ClusterSnapshot) =>
  decideScaleUp({
    cluster: 'bench',
    snapshot,
    nodeGroups,
    ledger: [],
    policy: defaultScalingPolicy,
    nowMs: lookedAtMs,
  });

const look = async (): Promise<LookFigures> => {
  const before = received();
  const reading = await timed(() => api.snapshot());
  const { snapshot, problems } = reading.value;
  const receivedBytes = received() - before;
  const deciding = await timed(() => decide(snapshot));
  const { fits, scaleUps, stuck } = deciding.value;
  return {
    readWallSeconds: reading.wallSeconds,
    readCpuSeconds: reading.cpuSeconds,
    decideWallSeconds: deciding.wallSeconds,
    decideCpuSeconds: deciding.cpuSeconds,
    peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
    receivedBytes,
    nodes: snapshot.nodes.length,
    pods: snapshot.pods.length,
    problems: problems.length,
    changed: snapshot.pods.filter(({ labels }) => labels['bench-changed'] !== undefined).length,
    placed: fits.length + scaleUps.reduce((sum, { pods }) => sum + pods.length, 0),
    stuck: stuck.length,
  };
};

for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
  process.stdout.write(`${JSON.stringify(await look())}\n`);
}
client.close();
