import { describe, expect, it } from 'vitest';
import type { ApiClient } from '#adapters/kubernetes/api-client.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';

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
});
