import { eventually } from '../../testbed/eventually.ts';
import {
  type KubeClient,
  KubeError,
  type KubeList,
  type KubeObject,
} from '../../testbed/kube-client.ts';
import type { PodWord } from './scale-up-state.ts';
import type { SceneWorkload } from './scene.ts';

type Pod = KubeObject & {
  readonly status: { readonly conditions?: readonly { readonly reason?: string }[] };
};

type Event = KubeObject & {
  readonly type: string;
  readonly reason: string;
  readonly reportingController: string;
  readonly regarding: { readonly name: string };
};

export interface ScenePods {
  /** Makes them, and waits until the scheduler has refused each. */
  create(workloads: readonly SceneWorkload[]): Promise<void>;
  words(): Promise<readonly PodWord[]>;
  /** At once; a later case must not find them. */
  remove(): Promise<void>;
}

/** Pods of a namespace of their own, on a cluster without nodes. */
export const podsOfScene = (admin: KubeClient, namespace: string): ScenePods => {
  const path = `/api/v1/namespaces/${namespace}`;
  const make = async (under: string, object: unknown): Promise<void> => {
    await admin.create(under, object).catch((error: unknown) => {
      if (!(error instanceof KubeError) || error.reason !== 'AlreadyExists') throw error;
    });
  };
  return {
    create: async (workloads) => {
      await make('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      });
      // The controller that makes it may take its time, and no pod can be made before.
      await make(`${path}/serviceaccounts`, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default' },
      });
      const wanted = workloads.flatMap(({ name, replicas, milliCpu, pool }) =>
        Array.from({ length: replicas }, (_, index) =>
          podObject(`${name}-${index + 1}`, milliCpu, pool),
        ),
      );
      await Promise.all(wanted.map((pod) => make(`${path}/pods`, pod)));
      await eventually('the scheduler to refuse the pods', async () => {
        const { items } = await admin.get<KubeList<Pod>>(`${path}/pods`);
        const refused = items.filter(({ status }) =>
          status.conditions?.some(({ reason }) => reason === 'Unschedulable'),
        );
        return refused.length === wanted.length ? true : undefined;
      });
    },
    words: async () => {
      const events = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
      const { items } = await admin.get<KubeList<Event>>(events);
      return items
        .filter(({ reportingController }) => reportingController.startsWith('outrider'))
        .map(({ regarding, type, reason }) => ({ pod: regarding.name, type, reason }));
    },
    remove: () => admin.remove(`${path}/pods`, { graceSeconds: 0 }),
  };
};

const podObject = (name: string, milliCpu: number, pool: string | undefined) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 0,
    ...(pool === undefined ? {} : { nodeSelector: { pool } }),
    containers: [
      {
        name: 'main',
        image: 'none',
        resources: { requests: { cpu: `${milliCpu}m`, memory: '1Gi' } },
      },
    ],
  },
});
