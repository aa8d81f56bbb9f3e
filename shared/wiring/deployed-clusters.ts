import type { S3Client } from '@aws-sdk/client-s3';
import { readS3Configuration } from '#adapters/aws/s3-configuration.ts';
import { problemLine } from '#cluster/problem.ts';
import type { ClusterConfiguration } from '#config/configuration.ts';
import type { Environment } from '#config/environment.ts';
import { readDeployedConfiguration } from '#config/read-deployed-configuration.ts';
import { PortError } from '#ports/port-error.ts';

/**
 * The clusters of this function's network, as last deployed. The object's key is the digest of its
 * contents: another configuration has another key and comes with new processes, so that one read in the
 * life of a process is always fresh. A read that failed is taken again.
 */
export const deployedClusters = (
  s3: S3Client,
  environment: Environment,
): (() => Promise<readonly ClusterConfiguration[]>) => {
  const { configurationBucket: bucket, configurationKey: key, network } = environment;
  let kept: readonly ClusterConfiguration[] | undefined;
  return async () => {
    if (kept !== undefined) return kept;
    const read = readDeployedConfiguration(await readS3Configuration(s3, { bucket, key }));
    if ('problems' in read) {
      const said = read.problems.map(problemLine);
      throw new PortError('invalid', `The deployed outrider.yaml: ${said.join('; ')}`);
    }
    kept = read.configuration.clusters.filter((cluster) => cluster.network === network);
    return kept;
  };
};
