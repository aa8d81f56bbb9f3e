import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import type { CallCounter } from '#adapters/aws/call-counter.ts';
import { type ForeignInstances, foreignInstances } from '#adapters/aws/foreign-instances.ts';
import { apiAccessSecrets, readApiAccessSecret } from '#adapters/aws/secrets-manager-api-access.ts';
import { clusterApis } from '#adapters/kubernetes/cluster-apis.ts';
import type { ClusterConfiguration } from '#config/configuration.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import type { OnDemandPrices } from '#ports/on-demand-prices.ts';
import type { SpotPrices } from '#ports/spot-prices.ts';
import { accountClients } from './account-clients.ts';
import { accountRoles } from './account-roles.ts';
import { clusterTokens } from './cluster-tokens.ts';
import { onDemandPrices } from './on-demand-prices.ts';

export interface ClusterConnection {
  readonly clusterApi: ClusterApi;
  readonly nodeGroups: NodeGroups;
  readonly spotPrices: SpotPrices;
  readonly onDemandPrices: OnDemandPrices;
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
  const nowMs = (): number => Date.now();
  const roles = accountRoles(calls);
  const clients = accountClients(calls, roles);
  const accounts = async () => (await all()).flatMap(({ account }) => account ?? []);
  const listPrices = onDemandPrices(calls);
  const foreign = new Map<string, ForeignInstances>();
  const apis = clusterApis({
    secrets: apiAccessSecrets((secret) => readApiAccessSecret(secrets, secret), nowMs),
    eksTokens: clusterTokens({ secrets, roles, accounts }),
    nowMs,
  });
  const othersThan = async ({ name, account }: ClusterConfiguration) =>
    (await all()).filter(
      (other) => other.name !== name && other.account?.roleArn === account?.roleArn,
    );

  return async (cluster) => {
    const { name, apiSecret, discoveryTags, account } = cluster;
    const { autoScaling, spotPrices, ...others } = clients(account);
    const known =
      foreign.get(name) ??
      foreignInstances(autoScaling, { discoveryTags, others: await othersThan(cluster) });
    foreign.set(name, known);
    return {
      clusterApi: apis.forLook(name, apiSecret),
      spotPrices,
      onDemandPrices: listPrices,
      nodeGroups: autoScalingNodeGroups({ autoScaling, ...others, discoveryTags, foreign: known }),
    };
  };
};
