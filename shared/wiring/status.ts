import { inParallel } from '#cluster/in-parallel.ts';
import { type ClusterStatus, status } from '#operations/status.ts';
import { openLiveCluster } from './live-cluster.ts';
import { openMemory } from './memory.ts';
import { clustersAskedFor, openDeployment } from './open-deployment.ts';

export interface StatusOfRequest {
  readonly stack: string;
  /** Absent: every cluster of the deployment. */
  readonly cluster?: string;
  readonly decisions: number;
}

/** Clusters looked at side by side: each may hold some tens of megabytes while it is read. */
const atOnce = 4;

/** How clusters of a deployment are doing, in the order of the configuration. */
export const statusOf = async (request: StatusOfRequest): Promise<readonly ClusterStatus[]> => {
  const open = await openDeployment(request.stack);
  const memory = openMemory(open.deployment);
  const clusters = clustersAskedFor(open, request.cluster);
  return inParallel(clusters, atOnce, async (cluster) => {
    const live = openLiveCluster(cluster);
    const ports = { clock: { nowMs: () => Date.now() }, ...memory, ...live };
    try {
      return await status(ports, {
        cluster: cluster.name,
        policy: cluster.policy,
        decisions: request.decisions,
      });
    } finally {
      live.close();
    }
  });
};
