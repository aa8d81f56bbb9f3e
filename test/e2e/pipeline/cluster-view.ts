import { eventually } from '../../testbed/eventually.ts';
import type { KubeClient, KubeList, KubeObject } from '../../testbed/kube-client.ts';

export type Pod = KubeObject & {
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }[];
  };
};

interface PodEvent {
  readonly reason: string;
  readonly note: string;
  readonly type: string;
  readonly reportingController: string;
}

export interface PodWish {
  readonly name: string;
  /** Value of the node label `pool`, as groups of the same name promise it. */
  readonly pool: string;
  readonly cpu: string;
}

const podSpec = ({ pool, cpu }: Omit<PodWish, 'name'>) => ({
  nodeSelector: { pool },
  terminationGracePeriodSeconds: 0,
  containers: [{ name: 'main', image: 'none', resources: { requests: { cpu, memory: '256Mi' } } }],
});

/** What a person with kubectl would make and see. */
export const clusterView = (admin: KubeClient) => {
  const podPath = '/api/v1/namespaces/default/pods';
  const pods = async (app: string): Promise<readonly Pod[]> =>
    (await admin.get<KubeList<Pod>>(`${podPath}?labelSelector=app%3D${app}`)).items;
  return {
    pods,
    createPod: (wish: PodWish) =>
      admin.create(podPath, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: wish.name, labels: { app: wish.name } },
        spec: podSpec(wish),
      }),
    createDeployment: (wish: PodWish & { readonly replicas: number }) =>
      admin.create('/apis/apps/v1/namespaces/default/deployments', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: wish.name },
        spec: {
          replicas: wish.replicas,
          selector: { matchLabels: { app: wish.name } },
          template: { metadata: { labels: { app: wish.name } }, spec: podSpec(wish) },
        },
      }),
    removePod: (name: string) => admin.remove(`${podPath}/${name}`, { graceSeconds: 0 }),
    /** Waits until so many pods of the app run; gives them. */
    running: (app: string, count: number): Promise<readonly Pod[]> =>
      eventually(`${count} running pods of ${app}`, async () => {
        const found = (await pods(app)).filter(({ status }) => status.phase === 'Running');
        return found.length === count ? found : undefined;
      }),
    /** Waits until the scheduler has refused the pod; gives the moment at which this was seen. */
    unschedulable: (name: string): Promise<number> =>
      eventually(`the Unschedulable condition of ${name}`, async () => {
        const { status } = await admin.get<Pod>(`${podPath}/${name}`);
        const refused = status.conditions?.some(
          ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
        );
        return refused === true ? Date.now() : undefined;
      }),
    /** Waits for an Event of this reason on the pod; gives its text. */
    eventNote: (pod: string, reason: string): Promise<string> =>
      eventually(`an Event ${reason} on ${pod}`, async () => {
        const path = `/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.name%3D${pod}`;
        const { items } = await admin.get<KubeList<KubeObject & PodEvent>>(path);
        return items.find((event) => event.reason === reason)?.note;
      }),
  };
};
