import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import type { CallCounter } from '#adapters/aws/call-counter.ts';
import { type ForeignInstances, foreignInstances } from '#adapters/aws/foreign-instances.ts';
import { readApiAccessSecret } from '#adapters/aws/secrets-manager-api-access.ts';
import type { ApiAccess } from '#adapters/kubernetes/api-access.ts';
import { type ApiClient, createApiClient } from '#adapters/kubernetes/api-client.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import type { ClusterConfiguration } from '#config/configuration.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import { accountClients } from './account-clients.ts';

export interface ClusterConnection {
  readonly clusterApi: ClusterApi;
  readonly nodeGroups: NodeGroups;
}

export interface ConnectionOptions {
  readonly secrets: SecretsManagerClient;
  /** All clusters of the deployment: what carries another one's tags is foreign. */
  readonly all: () => Promise<readonly ClusterConfiguration[]>;
  readonly calls: CallCounter;
}

/** Connects to a cluster's API server and to its account; what can be kept is kept for the life of the process. */
export const clusterConnections = ({
  secrets,
  all,
  calls,
}: ConnectionOptions): ((cluster: ClusterConfiguration) => Promise<ClusterConnection>) => {
  const apiClients = keptApiClients();
  const clients = accountClients(calls);
  const foreign = new Map<string, ForeignInstances>();
  const othersThan = async ({ name, account }: ClusterConfiguration) =>
    (await all()).filter(
      (other) => other.name !== name && other.account?.roleArn === account?.roleArn,
    );

  return async (cluster) => {
    const { name, apiSecret, discoveryTags, account } = cluster;
    const access = await readApiAccessSecret(secrets, apiSecret);
    const { autoScaling, ...others } = clients(account);
    const known =
      foreign.get(name) ??
      foreignInstances(autoScaling, { discoveryTags, others: await othersThan(cluster) });
    foreign.set(name, known);
    return {
      clusterApi: kubernetesClusterApi(apiClients(name, access)),
      nodeGroups: autoScalingNodeGroups({ autoScaling, ...others, discoveryTags, foreign: known }),
    };
  };
};

/** One client (with its kept connections) per cluster, made anew when the secret changes. */
const keptApiClients = (): ((cluster: string, access: ApiAccess) => ApiClient) => {
  const kept = new Map<string, { readonly secret: string; readonly client: ApiClient }>();
  return (cluster, access) => {
    const secret = JSON.stringify(access);
    const before = kept.get(cluster);
    if (before?.secret === secret) return before.client;
    before?.client.close();
    const client = createApiClient(access);
    kept.set(cluster, { secret, client });
    return client;
  };
};
