import { type ExplainOutcome, explainLive, explainRecorded } from '#operations/explain.ts';
import type { PlanRequest } from '#operations/plan.ts';
import type { ExplainRequest } from '#scaling/explaining/explain-pod.ts';
import { openLiveCluster } from './live-cluster.ts';
import { openMemory } from './memory.ts';
import { openOfflineSnapshot, type SnapshotPaths } from './offline-snapshot.ts';
import { clustersAskedFor, openDeployment } from './open-deployment.ts';

const clock = { nowMs: () => Date.now() };

/** Explains a pod of a recorded cluster. Throws a `PortError` where the recording cannot be used at all. */
export const explainRecordedPod = async (
  paths: SnapshotPaths,
  request: Omit<PlanRequest, 'recording' | 'clusters'> & ExplainRequest,
): Promise<ExplainOutcome> =>
  explainRecorded({ ...request, ...(await openOfflineSnapshot(paths)) }, clock);

/** Explains a pod of a cluster of a deployment, as it is now. Throws a `PortError` where that cannot be read. */
export const explainDeployedPod = async (
  request: ExplainRequest & { readonly stack: string; readonly cluster: string },
): Promise<ExplainOutcome> => {
  const open = await openDeployment(request.stack);
  const [cluster] = clustersAskedFor(open, request.cluster);
  if (cluster === undefined) throw new Error('clustersAskedFor gives the cluster or throws');
  const live = openLiveCluster(cluster);
  try {
    return await explainLive(
      {
        clock,
        ...openMemory(open.deployment),
        ...live,
        spotPrices: live.awsClients.spotPrices,
        onDemandPrices: live.onDemandPrices,
      },
      {
        pod: request.pod,
        nodes: request.nodes,
        cluster: cluster.name,
        policy: cluster.policy,
      },
    );
  } finally {
    live.close();
  }
};
