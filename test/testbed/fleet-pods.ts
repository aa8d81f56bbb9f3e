import { secondsOf } from './fleet-node.ts';
import { type KubeClient, KubeError, type KubeList, type KubeObject } from './kube-client.ts';

type Pod = KubeObject & {
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly nodeName?: string;
    readonly hostNetwork?: boolean;
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
  readonly status: { readonly phase: string };
};

/**
 * What kubelets do for the pods bound to their nodes (name to address): Pending ones run at once,
 * deleted ones end at once.
 */
export const tendPods = async (
  kube: KubeClient,
  nodes: ReadonlyMap<string, string>,
): Promise<void> => {
  if (nodes.size === 0) return;
  // From the API server's cache: cheap, and a moment's delay is no matter to a kubelet.
  const path = '/api/v1/pods?resourceVersion=0&fieldSelector=spec.nodeName!=';
  const { items } = await kube.get<KubeList<Pod>>(path);
  await Promise.all(
    items.map(async (pod) => {
      const hostIp = nodes.get(pod.spec.nodeName ?? '');
      if (hostIp === undefined) return;
      if (pod.metadata.deletionTimestamp !== undefined) await end(kube, pod);
      else if (pod.status.phase === 'Pending') await begin(kube, pod, hostIp);
    }),
  );
};

const pathOf = ({ metadata }: Pod): string =>
  `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;

const begin = async (kube: KubeClient, pod: Pod, hostIp: string): Promise<void> => {
  const now = secondsOf(new Date());
  const podIp = pod.spec.hostNetwork === true ? hostIp : podAddress(pod.metadata.uid);
  const condition = (type: string): unknown => ({ type, status: 'True', lastTransitionTime: now });
  const status = {
    phase: 'Running',
    startTime: now,
    hostIP: hostIp,
    podIP: podIp,
    podIPs: [{ ip: podIp }],
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodReadyToStartContainers'].map(
      condition,
    ),
    containerStatuses: pod.spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: image,
      containerID: `none://${pod.metadata.uid}/${name}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    })),
  };
  // The UID makes this a conflict where another pod has taken the name since.
  const change = { metadata: { uid: pod.metadata.uid }, status };
  await unlessGone(kube.patch(`${pathOf(pod)}/status`, 'strategic-merge', change));
};

const end = async (kube: KubeClient, pod: Pod): Promise<void> => {
  await unlessGone(kube.remove(pathOf(pod), { graceSeconds: 0 }));
};

/** An address of the pod network, made from the pod's UID. */
const podAddress = (uid: string): string => {
  const number = Number.parseInt(uid.slice(0, 4), 16);
  return `10.244.${number >> 8}.${number & 255}`;
};

const unlessGone = async (call: Promise<unknown>): Promise<void> => {
  await call.catch((error: unknown) => {
    const gone = error instanceof KubeError && (error.status === 404 || error.status === 409);
    if (!gone) throw error;
  });
};
