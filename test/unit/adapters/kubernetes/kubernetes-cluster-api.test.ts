import { describe, expect, it } from 'vitest';
import type { ApiClient } from '#adapters/kubernetes/api-client.ts';
import { statusError } from '#adapters/kubernetes/api-error.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import { PortError } from '#ports/port-error.ts';

const podOf = (name: string, uid: string, phase = 'Pending') => ({
  metadata: { namespace: 'shop', name, uid },
  spec: { containers: [] },
  status: { phase },
});

/** Answers the pages of pods in turn, and every other list with nothing. */
const serverOf = (...pages: readonly (readonly unknown[])[]): ApiClient => {
  const rest = [...pages];
  const client: Pick<ApiClient, 'get'> = {
    async get(path) {
      const items = path === '/api/v1/pods' ? rest.shift() : [];
      const more = path === '/api/v1/pods' && rest.length > 0;
      return { metadata: { resourceVersion: '7', ...(more && { continue: 'next' }) }, items };
    },
  };
  return client as ApiClient;
};

/** Answers lists by their path with the items, or with what is thrown; every other list with nothing. */
const serverWith = (lists: Readonly<Record<string, readonly unknown[] | PortError>>) => {
  const asked: string[] = [];
  const client: Pick<ApiClient, 'get'> = {
    async get(path) {
      asked.push(path);
      const items = lists[path] ?? [];
      if (items instanceof PortError) throw items;
      return { metadata: { resourceVersion: '7' }, items };
    },
  };
  return { api: kubernetesClusterApi(client as ApiClient), asked };
};

const refused = (status: number, message: string): PortError =>
  statusError('GET /x', { status }, JSON.stringify({ kind: 'Status', message }));

describe('the snapshot of a cluster', () => {
  it('holds a pod once that two pages show, as the later one shows it', async () => {
    const { snapshot } = await kubernetesClusterApi(
      serverOf(
        [podOf('b', 'uid-b'), podOf('c', 'uid-c-before')],
        [podOf('c', 'uid-c-after'), podOf('b', 'uid-b', 'Running'), podOf('a', 'uid-a')],
      ),
    ).snapshot();
    expect(snapshot.pods.map(({ name, uid, phase }) => [name, uid, phase])).toEqual([
      ['a', 'uid-a', 'Pending'],
      ['b', 'uid-b', 'Running'],
      ['c', 'uid-c-after', 'Pending'],
    ]);
  });

  it('holds what filters look at beside nodes and pods, and no list of what there is none of', async () => {
    const { api } = serverWith({
      '/api/v1/persistentvolumeclaims': [{ metadata: { namespace: 'shop', name: 'data' } }],
      '/apis/storage.k8s.io/v1/csinodes': [{ metadata: { name: 'n1' } }],
    });
    const { snapshot, problems } = await api.snapshot();
    expect(problems).toEqual([]);
    expect(snapshot.claims?.map(({ name }) => name)).toEqual(['data']);
    expect(Object.keys(snapshot).toSorted()).toEqual([
      'claims',
      'csiNodes',
      'daemonSets',
      'leases',
      'nodes',
      'pods',
    ]);
  });

  it.each([
    [403, 'forbidden: User "outrider" cannot list resource "storageclasses"'],
    [404, 'the server could not find the requested resource'],
  ])('goes on without a kind that is refused with %d, and says so', async (status, message) => {
    const { api } = serverWith({
      '/apis/storage.k8s.io/v1/storageclasses': refused(status, message),
      '/api/v1/pods': [podOf('a', 'uid-a')],
    });
    const { snapshot, problems } = await api.snapshot();
    expect(snapshot.pods).toHaveLength(1);
    expect(problems).toEqual([
      expect.objectContaining({ field: 'storageclasses', code: 'notListed' }),
    ]);
    expect(problems[0]?.message).toContain('infra/rbac/outrider-read.yaml');
  });

  it.each(['/api/v1/pods', '/api/v1/nodes', '/apis/apps/v1/daemonsets'])(
    'fails where %s is refused',
    async (path) => {
      const { api } = serverWith({ [path]: refused(403, 'forbidden') });
      await expect(api.snapshot()).rejects.toMatchObject({ code: 'forbidden' });
    },
  );

  it.each([401, 403])(
    'fails where nobody knows who asks (%d): another token may help',
    async (status) => {
      const message = 'User "system:anonymous" cannot list resource "storageclasses"';
      const { api } = serverWith({
        '/apis/storage.k8s.io/v1/storageclasses': refused(status, message),
      });
      await expect(api.snapshot()).rejects.toMatchObject({ code: 'forbidden' });
    },
  );

  it('fails where a kind cannot be read for another reason', async () => {
    const { api } = serverWith({ '/api/v1/namespaces': refused(500, 'etcd is away') });
    await expect(api.snapshot()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('asks for each list once', async () => {
    const { api, asked } = serverWith({});
    await api.snapshot();
    expect(new Set(asked).size).toBe(13);
    expect(asked).toHaveLength(13);
  });

  it('shares what pods of several pages have alike', async () => {
    const labelled = (name: string) => ({
      metadata: { namespace: 'shop', name, uid: name, labels: { app: 'web' } },
      spec: { containers: [] },
      status: {},
    });
    const server = serverOf([labelled('a')], [labelled('b')]);
    const [a, b] = (await kubernetesClusterApi(server).snapshot()).snapshot.pods;
    expect(a?.labels).toEqual({ app: 'web' });
    expect(a?.labels).toBe(b?.labels);
  });
});
