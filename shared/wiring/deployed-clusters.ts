import type { S3Client } from '@aws-sdk/client-s3';
import { readS3Configuration } from '#adapters/aws/s3-configuration.ts';
import { firstProblemLine } from '#cluster/problem.ts';
import type { ClusterConfiguration, Configuration } from '#config/configuration.ts';
import { readDeployedConfiguration } from '#config/read-deployed-configuration.ts';
import { PortError } from '#ports/port-error.ts';

/**
 * The configuration as it was last deployed, and as it lies there: the document as somebody wrote it, as JSON. Throws
 * `invalid` where this version does not take it.
 */
export const readDeployed = async (
  s3: S3Client,
  place: { readonly bucket: string; readonly key: string },
): Promise<{ readonly configuration: Configuration; readonly configurationText: string }> => {
  const configurationText = await readS3Configuration(s3, place);
  const read = readDeployedConfiguration(configurationText);
  if ('configuration' in read) return { ...read, configurationText };
  const said = firstProblemLine(read.problems);
  throw new PortError('invalid', `the deployed outrider.yaml: ${said}; deploy this version`);
};

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
    kept = (await readDeployed(s3, { bucket, key })).configuration.clusters;
    return kept;
  };
};
