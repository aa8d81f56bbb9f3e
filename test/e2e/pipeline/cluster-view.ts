import { request } from 'node:https';
import { createInterface } from 'node:readline';
import type { ControlPlane } from '../../testbed/control-plane.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { KubeList, KubeObject } from '../../testbed/kube-client.ts';

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

const isRefused = ({ status }: Pod): boolean =>
  status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
  ) === true;

/** What a person with kubectl would make and see. */
export const clusterView = ({ admin, server, ca, adminToken }: ControlPlane) => {
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
    /** Waits until the scheduler has refused the pod. */
    unschedulable: (name: string): Promise<true> =>
      eventually(`the Unschedulable condition of ${name}`, async () =>
        isRefused(await admin.get<Pod>(`${podPath}/${name}`)) ? true : undefined,
      ),
    /** A watch of one's own; `refusedAtMs` gives the moment at which it saw the pod refused. */
    watchPods: () => {
      const seen = new Map<string, number>();
      const ending = new AbortController();
      const call = request(`${server}${podPath}?watch=1`, {
        ca,
        headers: { authorization: `Bearer ${adminToken}` },
        signal: ending.signal,
      });
      call.on('error', () => {});
      call.on('response', (answer) => {
        answer.on('error', () => {});
        const lines = createInterface({ input: answer });
        // Hands the stream's own end on, as an error where it was cut off.
        lines.on('error', () => {});
        lines.on('line', (line) => {
          const { object } = JSON.parse(line) as { readonly object: Pod };
          const { name } = object.metadata;
          if (isRefused(object) && !seen.has(name)) seen.set(name, Date.now());
        });
      });
      call.end();
      return {
        refusedAtMs: (name: string): Promise<number> =>
          eventually(`the watch to see ${name} refused`, async () => seen.get(name)),
        end: () => ending.abort(),
      };
    },
    /** Waits for an Event of this reason on the pod; gives its text. */
    eventNote: (pod: string, reason: string): Promise<string> =>
      eventually(`an Event ${reason} on ${pod}`, async () => {
        const path = `/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.name%3D${pod}`;
        const { items } = await admin.get<KubeList<KubeObject & PodEvent>>(path);
        return items.find((event) => event.reason === reason)?.note;
      }),
  };
};
