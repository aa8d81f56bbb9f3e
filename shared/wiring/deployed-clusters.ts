import type { S3Client } from '@aws-sdk/client-s3';
import { readS3Configuration } from '#adapters/aws/s3-configuration.ts';
import { problemLine } from '#cluster/problem.ts';
import type { ClusterConfiguration } from '#config/configuration.ts';
import { readDeployedConfiguration } from '#config/read-deployed-configuration.ts';
import { PortError } from '#ports/port-error.ts';

/** Where the deployment keeps `outrider.yaml`. */
export interface ConfigurationPlace {
  readonly configurationBucket: string;
  readonly configurationKey: string;
}

/**
 * The clusters as last deployed. The object's key is the digest of its contents: another configuration has
 * another key and comes with new processes, so that one read in the life of a process is always fresh. A
 * read that failed is taken again.
 */
export const deployedClusters = (
  s3: S3Client,
  { configurationBucket: bucket, configurationKey: key }: ConfigurationPlace,
): (() => Promise<readonly ClusterConfiguration[]>) => {
  let kept: readonly ClusterConfiguration[] | undefined;
  return async () => {
    if (kept !== undefined) return kept;
    const read = readDeployedConfiguration(await readS3Configuration(s3, { bucket, key }));
    if ('problems' in read) {
      const said = read.problems.map(problemLine);
      throw new PortError('invalid', `The deployed outrider.yaml: ${said.join('; ')}`);
    }
    kept = read.configuration.clusters;
    return kept;
  };
};
