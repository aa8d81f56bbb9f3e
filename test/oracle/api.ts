import {
  type KubeClient,
  KubeError,
  type KubeList,
  type KubeObject,
} from '../testbed/kube-client.ts';
import type { Manifest, SceneObject } from './scene.ts';

/** The paths of the kinds that a scene may hold. */
const collections: Readonly<Record<string, { readonly prefix: string; readonly plural: string }>> =
  {
    Namespace: { prefix: '/api/v1', plural: 'namespaces' },
    Node: { prefix: '/api/v1', plural: 'nodes' },
    Pod: { prefix: '/api/v1', plural: 'pods' },
    PersistentVolume: { prefix: '/api/v1', plural: 'persistentvolumes' },
    PersistentVolumeClaim: { prefix: '/api/v1', plural: 'persistentvolumeclaims' },
    StorageClass: { prefix: '/apis/storage.k8s.io/v1', plural: 'storageclasses' },
    CSINode: { prefix: '/apis/storage.k8s.io/v1', plural: 'csinodes' },
    CSIDriver: { prefix: '/apis/storage.k8s.io/v1', plural: 'csidrivers' },
    CSIStorageCapacity: { prefix: '/apis/storage.k8s.io/v1', plural: 'csistoragecapacities' },
  };

export const sceneNamespaces = ['default', 'blue', 'green'] as const;

const collectionOf = (kind: string) => {
  const found = collections[kind];
  if (found === undefined) throw new Error(`a scene cannot hold a ${kind}`);
  return found;
};

const pathOf = ({ kind, metadata }: Manifest): string => {
  const { prefix, plural } = collectionOf(kind);
  const within = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${prefix}${within}/${plural}`;
};

export const listPath = (kind: string): string => {
  const { prefix, plural } = collectionOf(kind);
  return `${prefix}/${plural}`;
};

/** An object that the API server does not take: it could never have been in a cluster. */
export interface Refusal {
  readonly object: Manifest;
  readonly why: string;
}

/** Puts one object there; gives the API server's refusal if it calls it invalid. */
export const put = async (kube: KubeClient, scene: SceneObject): Promise<Refusal | undefined> => {
  const { object, claims = [] } = scene;
  const path = `${pathOf(object)}/${object.metadata.name}`;
  let uid: string;
  try {
    if (object.kind === 'Namespace') {
      await putNamespace(kube, path, object);
      return undefined;
    }
    const sent = claims.length > 0 ? gated(object) : object;
    ({ uid } = (await kube.create<KubeObject>(pathOf(object), sent)).metadata);
  } catch (error) {
    return refusalOf(object, error);
  }
  try {
    await Promise.all(claims.map((claim) => putOwned(kube, claim, { object, uid })));
    if (claims.length > 0 && gated(object) !== object) {
      await kube.patch(path, 'merge', { spec: { schedulingGates: null } });
    }
    await doAfterwards(kube, path, scene);
    return undefined;
  } catch (error) {
    await kube.remove(path, { graceSeconds: 0 });
    return refusalOf(object, error);
  }
};

const doAfterwards = async (
  kube: KubeClient,
  path: string,
  { object, status, leaving }: SceneObject,
): Promise<void> => {
  if (status !== undefined) await kube.patch(`${path}/status`, 'merge', { status });
  if (leaving === true) {
    await kube.remove(path, object.kind === 'Pod' ? { graceSeconds: 3_600 } : {});
  }
};

/** A Pending pod that is not tried before its claims are there: they need its uid. */
const gated = (pod: Manifest): Manifest => {
  const spec = pod.spec as { readonly nodeName?: string } | undefined;
  if (spec?.nodeName !== undefined) return pod;
  return { ...pod, spec: { ...spec, schedulingGates: [{ name: 'example.com/claims' }] } };
};

const putOwned = async (
  kube: KubeClient,
  claim: Manifest,
  { object, uid }: { readonly object: Manifest; readonly uid: string },
): Promise<void> => {
  const { name, namespace } = object.metadata;
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true };
  const owned: Manifest = {
    ...claim,
    metadata: {
      ...claim.metadata,
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [owner],
    },
  };
  await kube
    .remove(`${pathOf(owned)}/${claim.metadata.name}`, { graceSeconds: 0 })
    .catch((error: unknown) => {
      // Only a pod that is asked about again has made it before.
      if (!(error instanceof KubeError) || error.status !== 404) throw error;
    });
  await kube.create(pathOf(owned), owned);
};

const refusalOf = (object: Manifest, error: unknown): Refusal => {
  if (error instanceof KubeError && (error.status === 422 || error.status === 400)) {
    return { object, why: error.message };
  }
  throw error;
};

/** Without its controller a namespace never goes: it gets the labels of the scene instead. */
const putNamespace = async (kube: KubeClient, path: string, object: Manifest): Promise<void> => {
  const labels = { 'kubernetes.io/metadata.name': object.metadata.name, ...object.metadata.labels };
  const before = await kube
    .get<Manifest>(path)
    .catch(() => kube.create<Manifest>('/api/v1/namespaces', object));
  const gone = Object.keys(before.metadata.labels ?? {}).map((key) => [key, null]);
  await kube.patch(path, 'merge', {
    metadata: { labels: { ...Object.fromEntries(gone), ...labels } },
  });
};

export const putAll = async (
  kube: KubeClient,
  objects: readonly SceneObject[],
): Promise<readonly Refusal[]> => {
  const refusals = await Promise.all(objects.map((object) => put(kube, object)));
  return refusals.filter((refusal) => refusal !== undefined);
};

/** Empties the cluster, pods first; what a finalizer keeps goes with it. */
export const clear = async (kube: KubeClient): Promise<void> => {
  const now = { graceSeconds: 0 };
  const within = (plural: string): Promise<unknown> =>
    Promise.all(
      sceneNamespaces.map((namespace) =>
        kube.remove(`/api/v1/namespaces/${namespace}/${plural}`, now),
      ),
    );
  await within('pods');
  await Promise.all([
    within('persistentvolumeclaims'),
    ...sceneNamespaces.map((namespace) =>
      kube.remove(`/apis/storage.k8s.io/v1/namespaces/${namespace}/csistoragecapacities`, now),
    ),
    ...['Node', 'PersistentVolume', 'StorageClass', 'CSINode', 'CSIDriver'].map((kind) =>
      kube.remove(listPath(kind), now),
    ),
  ]);
  const { items } = await kube.get<KubeList<KubeObject>>(listPath('PersistentVolumeClaim'));
  await Promise.all(
    items.map(({ metadata }) =>
      kube.patch(
        `/api/v1/namespaces/${metadata.namespace}/persistentvolumeclaims/${metadata.name}`,
        'merge',
        { metadata: { finalizers: null } },
      ),
    ),
  );
};

/** Every list that a scene can fill, as the API server has it. */
export const readAll = (kube: KubeClient): Promise<readonly { readonly object: unknown }[]> =>
  Promise.all(
    Object.keys(collections).map(async (kind) => ({ object: await kube.get(listPath(kind)) })),
  );
