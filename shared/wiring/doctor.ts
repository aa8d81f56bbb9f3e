import { isDeepStrictEqual } from 'node:util';
import { S3Client } from '@aws-sdk/client-s3';
import { clockAheadMs } from '#adapters/aws/answer-clock.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { awsDeploymentHealth } from '#adapters/aws/deployment-health.ts';
import { readTextFile } from '#adapters/files/text-file.ts';
import { apiServerProbe } from '#adapters/kubernetes/api-server-probe.ts';
import { firstProblemLine } from '#cluster/problem.ts';
import type { ClusterConfiguration, Configuration } from '#config/configuration.ts';
import { readConfiguration } from '#config/read-configuration.ts';
import { type CheckedConfiguration, type DoctorReport, doctor } from '#operations/doctor/doctor.ts';
import { failureOf } from '#operations/failure.ts';
import type { Deployment } from '#ports/deployments.ts';
import { letterBoxesOf } from './dead-letters.ts';
import { readDeployed } from './deployed-clusters.ts';
import { groupsPartlyTagged, openLiveCluster } from './live-cluster.ts';
import { openMemory } from './memory.ts';
import { clustersAskedFor, findDeployment } from './open-deployment.ts';

export interface DoctorOfRequest {
  readonly stack: string;
  /** Absent: every cluster of the deployment. */
  readonly cluster?: string;
  /** A local outrider.yaml that should be what is deployed. */
  readonly configuration?: string;
}

/** Looks at a deployment from end to end. Throws a `PortError` where it cannot be found at all. */
export const examine = async (request: DoctorOfRequest): Promise<DoctorReport> => {
  const deployment = await findDeployment(request.stack);
  const read = await deployedAt(deployment);
  const { configuration = { networks: [], clusters: [] } } = read;
  const clusters =
    read.configuration === undefined
      ? []
      : clustersAskedFor({ deployment, configuration }, request.cluster);
  const memory = openMemory(deployment);
  const clock = { nowMs: () => Date.now() };
  return doctor(
    {
      clock,
      health: awsDeploymentHealth(deployment.stack),
      deadLetters: letterBoxesOf(deployment),
      cluster: (name) =>
        clusterPorts(
          clusters.find((cluster) => cluster.name === name),
          memory,
        ),
    },
    {
      deployment,
      configuration: {
        ...(read.fault === undefined ? {} : { fault: read.fault }),
        ...(await comparedWith(request.configuration, configuration)),
      },
      clusters: clusters.map(({ account, ...cluster }) => ({
        ...cluster,
        ...(account === undefined ? {} : { roleArn: account.roleArn }),
      })),
    },
  );
};

/** The configuration as deployed, or why there is none. */
const deployedAt = async ({
  configuration,
}: Deployment): Promise<{ readonly configuration?: Configuration; readonly fault?: string }> => {
  try {
    return await readDeployed(new S3Client(clientOptions), configuration);
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    const unread = `the deployed outrider.yaml cannot be read: ${message}`;
    return { fault: code === 'invalid' ? message : unread };
  }
};

const comparedWith = async (
  file: string | undefined,
  deployed: Configuration,
): Promise<Pick<CheckedConfiguration, 'local'>> => {
  if (file === undefined) return {};
  const read = readConfiguration(await readTextFile(file), file);
  if ('problems' in read) {
    return { local: { file, same: false, fault: firstProblemLine(read.problems) } };
  }
  return { local: { file, same: isDeepStrictEqual(read.configuration, deployed) } };
};

const clusterPorts = (
  cluster: ClusterConfiguration | undefined,
  { leases, ledger }: ReturnType<typeof openMemory>,
) => {
  if (cluster === undefined) throw new Error('only clusters of the request are examined');
  const live = openLiveCluster(cluster);
  const { clusterApi, nodeGroups, access, apiClient } = live;
  return {
    apiServer: apiServerProbe({ access, client: apiClient, clockAheadMs }),
    clusterApi,
    nodeGroups,
    partlyTagged: () => groupsPartlyTagged(live, cluster),
    leases,
    ledger,
    done: live.close,
  };
};
