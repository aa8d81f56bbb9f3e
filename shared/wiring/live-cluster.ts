import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import { callCounter } from '#adapters/aws/call-counter.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { foreignInstances } from '#adapters/aws/foreign-instances.ts';
import { readApiAccessSecret } from '#adapters/aws/secrets-manager-api-access.ts';
import type { ApiAccess } from '#adapters/kubernetes/api-access.ts';
import { type ApiClient, createApiClient } from '#adapters/kubernetes/api-client.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import { namingSecret } from '#adapters/kubernetes/refused-identity.ts';
import type { ClusterConfiguration } from '#config/configuration.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import type { OnDemandPrices } from '#ports/on-demand-prices.ts';
import { enabledTag } from '#scaling/discovery.ts';
import { type AccountClients, accountClients } from './account-clients.ts';
import { accountRoles } from './account-roles.ts';
import { clusterTokens } from './cluster-tokens.ts';
import { onDemandPrices } from './on-demand-prices.ts';

/** One cluster and its groups as this machine reaches them. */
export interface LiveCluster {
  /** Reads the secret first; everything that the first call may say, it may say of the secret too. */
  readonly clusterApi: Pick<ClusterApi, 'snapshot'>;
  readonly nodeGroups: NodeGroups;
  readonly onDemandPrices: OnDemandPrices;
  /** The clients that `nodeGroups` asks. */
  readonly awsClients: AccountClients;
  /** As the secret says; read once. */
  access(): Promise<ApiAccess>;
  apiClient(): Promise<ApiClient>;
  close(): void;
}

/** Connects to one cluster of a deployment, with the rights of whoever runs the command. */
export const openLiveCluster = (cluster: ClusterConfiguration): LiveCluster => {
  const secrets = new SecretsManagerClient(clientOptions);
  const calls = callCounter();
  const roles = accountRoles(calls);
  // Clients of its own: their answers may be listened to.
  const clients = accountClients(calls, roles)(cluster.account);
  const accounts = async () => [cluster.account ?? []].flat();
  const tokens = clusterTokens({ secrets, roles, accounts });
  let secret: Promise<ApiAccess> | undefined;
  const access = (): Promise<ApiAccess> => {
    secret ??= readApiAccessSecret(secrets, cluster.apiSecret);
    return secret;
  };
  let client: Promise<ApiClient> | undefined;
  const apiClient = (): Promise<ApiClient> => {
    client ??= access().then((read) =>
      createApiClient(read, 'eksCluster' in read ? { token: () => tokens.tokenFor(read) } : {}),
    );
    return client;
  };
  return {
    access,
    apiClient,
    clusterApi: {
      async snapshot() {
        try {
          return await kubernetesClusterApi(await apiClient()).snapshot();
        } catch (error) {
          throw namingSecret(error, cluster.apiSecret);
        }
      },
    },
    nodeGroups: nodeGroupsBy(clients, cluster.discoveryTags),
    onDemandPrices: onDemandPrices(calls),
    awsClients: clients,
    close() {
      client?.then(
        (open) => open.close(),
        () => undefined,
      );
    },
  };
};

const nodeGroupsBy = (
  clients: AccountClients,
  discoveryTags: ClusterConfiguration['discoveryTags'],
): NodeGroups =>
  autoScalingNodeGroups({
    ...clients,
    discoveryTags,
    // Of other clusters it sees only the tags of Cluster Autoscaler.
    foreign: foreignInstances(clients.autoScaling, { discoveryTags }),
  });

/**
 * Names of groups that carry a discovery tag which is this cluster's alone, and lack another one: somebody
 * forgot half of it.
 */
export const groupsPartlyTagged = async (
  { awsClients, nodeGroups }: Pick<LiveCluster, 'awsClients' | 'nodeGroups'>,
  { discoveryTags }: Pick<ClusterConfiguration, 'discoveryTags'>,
): Promise<readonly string[]> => {
  const own = Object.entries(discoveryTags).filter(([key]) => key !== enabledTag);
  const [first] = own;
  if (first === undefined || Object.keys(discoveryTags).length < 2) return [];
  const alone = nodeGroupsBy(awsClients, Object.fromEntries([first]));
  const [some, all] = await Promise.all([alone.discover(), nodeGroups.discover()]);
  const found = new Set(all.view.groups.map(({ name }) => name));
  return some.view.groups.map(({ name }) => name).filter((name) => !found.has(name));
};
