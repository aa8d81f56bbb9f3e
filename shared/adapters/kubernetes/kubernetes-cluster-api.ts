import { compareNamespacedName } from '#cluster/order.ts';
import type { PodEvent } from '#cluster/pod-event.ts';
import { type ClusterReading, readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { ApiClient } from './api-client.ts';
import { apiStatusOf } from './api-error.ts';
import { type ListRequest, listPages } from './list-pages.ts';
import { podEventObject } from './pod-event.ts';

interface KindList extends ListRequest {
  readonly kind: string;
  readonly apiVersion: string;
}

/*
 * RBAC of the identity: list on these, create on events.k8s.io events. Each node renews a Lease in
 * kube-node-lease every ten seconds: thousands of objects that say nothing of other scalers.
 */
const lists = {
  nodes: { kind: 'NodeList', apiVersion: 'v1', path: '/api/v1/nodes' },
  pods: { kind: 'PodList', apiVersion: 'v1', path: '/api/v1/pods' },
  daemonSets: { kind: 'DaemonSetList', apiVersion: 'apps/v1', path: '/apis/apps/v1/daemonsets' },
  leases: {
    kind: 'LeaseList',
    apiVersion: 'coordination.k8s.io/v1',
    path: '/apis/coordination.k8s.io/v1/leases',
    query: { fieldSelector: 'metadata.namespace!=kube-node-lease' },
  },
} satisfies Readonly<Record<keyof ClusterSnapshot, KindList>>;

/** The API server of one cluster, read and told through `client`. */
export function kubernetesClusterApi(client: ApiClient): ClusterApi {
  return {
    async snapshot() {
      const [nodes, pods, daemonSets, leases] = await Promise.all([
        readList(client, lists.nodes),
        readList(client, lists.pods),
        readList(client, lists.daemonSets),
        readList(client, lists.leases),
      ]);
      return {
        snapshot: {
          nodes: merged(nodes, 'nodes'),
          pods: merged(pods, 'pods'),
          daemonSets: merged(daemonSets, 'daemonSets'),
          leases: merged(leases, 'leases'),
        },
        problems: [nodes, pods, daemonSets, leases].flat().flatMap((page) => page.problems),
      };
    },

    async postPodEvent(event: PodEvent): Promise<void> {
      const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(event.namespace)}/events`;
      try {
        await client.post(path, podEventObject(event));
      } catch (error) {
        // The same word was said before: the name is derived from it.
        if (apiStatusOf(error)?.reason !== 'AlreadyExists') throw error;
      }
    },
  };
}

/** Each page is read into views at once, so that at most one raw page of a list is held. */
async function readList(client: ApiClient, list: KindList): Promise<readonly ClusterReading[]> {
  const { kind, apiVersion } = list;
  const read = (items: readonly unknown[]): ClusterReading =>
    readClusterObjects([{ object: { kind, apiVersion, items } }]);
  return (await listPages(client, list, read)).pages;
}

/**
 * In the order of namespace and name: etcd's order, in which pages come, is another. Of several with one
 * name the last, as the reader of one page does it: a list whose token is renewed shows a later state.
 */
const merged = <Kind extends keyof ClusterSnapshot>(
  pages: readonly ClusterReading[],
  kind: Kind,
): ClusterSnapshot[Kind][number][] =>
  pages
    .flatMap((page): readonly ClusterSnapshot[Kind][number][] => page.snapshot[kind])
    .sort(compareNamespacedName)
    .filter((view, index, all) => {
      const next = all[index + 1];
      return next === undefined || compareNamespacedName(view, next) !== 0;
    });
