import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { ListRequest } from './list-pages.ts';

/** A kind of objects that a snapshot holds, and how the API server lists them. */
export interface ClusterList<Kind extends keyof ClusterSnapshot = keyof ClusterSnapshot>
  extends ListRequest {
  readonly key: Kind;
  readonly kind: string;
  readonly apiVersion: string;
  /** May be many, and is listed without a selector: its changes can be followed and counted. */
  readonly followed: boolean;
}

/** Fewer, larger pages cost the API server less: 1,000 pods are some 3 MB, 20 MB where they are fat. */
const pageSize = 1_000;

/*
 * RBAC of the identity: list on these, watch on those that are followed, create on events.k8s.io events.
 */

export const nodeList: ClusterList<'nodes'> = {
  key: 'nodes',
  kind: 'NodeList',
  apiVersion: 'v1',
  path: '/api/v1/nodes',
  pageSize,
  followed: true,
};

export const podList: ClusterList<'pods'> = {
  key: 'pods',
  kind: 'PodList',
  apiVersion: 'v1',
  path: '/api/v1/pods',
  pageSize,
  followed: true,
};

export const daemonSetList: ClusterList<'daemonSets'> = {
  key: 'daemonSets',
  kind: 'DaemonSetList',
  apiVersion: 'apps/v1',
  path: '/apis/apps/v1/daemonsets',
  pageSize,
  followed: false,
};

/**
 * Each node renews a Lease in kube-node-lease every ten seconds: thousands of objects that say nothing of
 * other scalers.
 */
export const leaseList: ClusterList<'leases'> = {
  key: 'leases',
  kind: 'LeaseList',
  apiVersion: 'coordination.k8s.io/v1',
  path: '/apis/coordination.k8s.io/v1/leases',
  query: { fieldSelector: 'metadata.namespace!=kube-node-lease' },
  pageSize,
  followed: false,
};
