import type { Problem } from '#cluster/problem.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { ApiAccess, EksAccess } from './api-access.ts';
import { type ApiClient, type ApiClientOptions, createApiClient } from './api-client.ts';
import { isNotAuthenticated } from './api-error.ts';
import { clientCertificateProblems } from './client-certificate.ts';
import { keptClients } from './kept-clients.ts';
import { knownClusters } from './known-clusters.ts';
import { type ClusterApiOptions, kubernetesClusterApi } from './kubernetes-cluster-api.ts';
import { namingSecret } from './refused-identity.ts';

export interface ClusterApisOptions {
  /** Where secrets are read; `readAgain` passes over what is kept. */
  readonly secrets: {
    read(secret: string): Promise<ApiAccess>;
    readAgain(secret: string): Promise<ApiAccess>;
  };
  readonly eksTokens: {
    tokenFor(access: EksAccess): Promise<string>;
    forget(access: EksAccess): void;
  };
  readonly nowMs: () => number;
  /** Clients kept with their connections. Default 100. */
  readonly mostClients?: number;
  /** Objects of large clusters kept between two looks. Default 250,000. */
  readonly mostObjects?: number;
  readonly client?: Omit<ApiClientOptions, 'token'>;
  readonly api?: Omit<ClusterApiOptions, 'known' | 'nowMs'>;
}

/** The API servers of many clusters, for the life of a process. */
export interface ClusterApis {
  /**
   * For one look: the secret is read with the first call, and once more where the API server does not know who
   * asks; errors of the secret are errors of that call.
   */
  forLook(cluster: string, secret: string): ClusterApi;
  close(): void;
}

/** Connections and the objects of large clusters are kept between looks, within bounds. */
export function clusterApis(options: ClusterApisOptions): ClusterApis {
  const { secrets, eksTokens, nowMs } = options;
  const known = knownClusters(options.mostObjects);
  const clients = keptClients(
    (_cluster, access) =>
      createApiClient(access, {
        ...options.client,
        ...('eksCluster' in access && { token: () => eksTokens.tokenFor(access) }),
      }),
    options.mostClients,
  );

  return {
    close: clients.close,
    forLook(cluster, secret) {
      let access: Promise<ApiAccess> | undefined;
      let readAgain = false;

      /** One reading for all calls that are refused at the same time. */
      const renewed = (refused: ApiAccess): Promise<ApiAccess> => {
        readAgain = true;
        if ('eksCluster' in refused) eksTokens.forget(refused);
        access = secrets.readAgain(secret);
        return access;
      };

      const renewing = async <Result>(
        work: (client: ApiClient, given: ApiAccess) => Promise<Result>,
      ): Promise<Result> => {
        access ??= secrets.read(secret);
        const reading = access;
        const given = await reading;
        try {
          return await clients.use(cluster, given, (client) => work(client, given));
        } catch (error) {
          if (!isNotAuthenticated(error)) throw error;
          // Somebody else's call may have renewed it meanwhile.
          if (access === reading && readAgain) throw error;
          const fresh = await (access === reading ? renewed(given) : access);
          const same = JSON.stringify(fresh) === JSON.stringify(given);
          if (same && !('eksCluster' in fresh)) throw error;
          return await clients.use(cluster, fresh, (client) => work(client, fresh));
        }
      };

      const call = async <Result>(
        work: (client: ApiClient, given: ApiAccess) => Promise<Result>,
      ): Promise<Result> => {
        try {
          return await renewing(work);
        } catch (error) {
          throw namingSecret(error, secret);
        }
      };

      const apiOf = (client: ApiClient, given: ApiAccess): ClusterApi =>
        kubernetesClusterApi(client, {
          ...options.api,
          nowMs,
          // Of another server under the same name nothing is known.
          known: known.of(JSON.stringify([cluster, given.server])),
        });

      return {
        snapshot: () =>
          call(async (client, given) => {
            const own = clientCertificateProblems(`Secret ${secret}`, given, nowMs());
            const { snapshot, problems } = await apiOf(client, given).snapshot();
            return { snapshot, problems: [...own, ...problems] satisfies readonly Problem[] };
          }),
        postPodEvent: (event) => call((client, given) => apiOf(client, given).postPodEvent(event)),
      };
    },
  };
}
