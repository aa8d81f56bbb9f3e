import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { assureCaller } from '#adapters/aws/caller.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { cloudformationDeployments } from '#adapters/aws/cloudformation-deployments.ts';
import type { ClusterConfiguration, Configuration } from '#config/configuration.ts';
import type { DeployedNetwork, Deployment } from '#ports/deployments.ts';
import { PortError } from '#ports/port-error.ts';
import { readDeployed } from './deployed-clusters.ts';

/** A deployment with the configuration that its functions read. */
export interface OpenDeployment {
  readonly deployment: Deployment;
  readonly configuration: Configuration;
  /** The configuration as it lies there: the document as somebody wrote it, as JSON. */
  readonly configurationText: string;
}

/**
 * Finds a deployment by its stack's outputs, in the region and account that the AWS SDK finds. Throws
 * `invalid` or `notFound` with the remedy where nothing is found there.
 */
export const findDeployment = async (stack: string): Promise<Deployment> => {
  const cloudFormation = new CloudFormationClient(clientOptions);
  await assureCaller(cloudFormation);
  return await cloudformationDeployments(cloudFormation).find(stack);
};

/** The same with its configuration. */
export const openDeployment = async (stack: string): Promise<OpenDeployment> => {
  const deployment = await findDeployment(stack);
  const s3 = new S3Client(clientOptions);
  return { deployment, ...(await readDeployed(s3, deployment.configuration)) };
};

/** The clusters asked for: the one named, else all. Throws `notFound` for one that is not deployed. */
export const clustersAskedFor = (
  { deployment, configuration }: Pick<OpenDeployment, 'deployment' | 'configuration'>,
  cluster: string | undefined,
): readonly ClusterConfiguration[] => {
  const { clusters } = configuration;
  if (cluster === undefined) return clusters;
  const found = clusters.filter(({ name }) => name === cluster);
  if (found.length > 0) return found;
  const known = clusters.map(({ name }) => name);
  throw new PortError(
    'notFound',
    `stack ${deployment.stack} has no cluster ${cluster}: it has ${known.slice(0, 10).join(', ') || 'none'}${known.length > 10 ? ', …' : ''}`,
  );
};

/** What output names make of a network's name. */
const keyOf = (network: string): string => network.replaceAll('-', '');

/** The network of that name, as deployed. Throws `notFound`. */
export const networkNamed = (deployment: Deployment, name: string): DeployedNetwork => {
  const found = deployment.networks.find(({ key }) => key === keyOf(name));
  if (found !== undefined) return found;
  const known = deployment.networks.map(({ key }) => key).join(', ');
  throw new PortError(
    'notFound',
    `stack ${deployment.stack} has no network ${name}: it has ${known}`,
  );
};
