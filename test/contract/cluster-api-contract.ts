import { describe, expect, it } from 'vitest';
import type { PodEvent } from '#cluster/pod-event.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';

export interface ClusterApiAdapters {
  readonly clusterApi: ClusterApi;
  /** Name of a node that the cluster has. */
  readonly node: string;
  /** A pod that is Pending; it asks for 64000 m of CPU, which no node has. */
  readonly pending: { readonly namespace: string; readonly name: string };
  /** Messages of the Events on the pending pod, in any order. */
  messages(): Promise<readonly string[]>;
}

/** What every ClusterApi does. */
export function describeClusterApiContract(
  name: string,
  makeAdapters: () => ClusterApiAdapters | Promise<ClusterApiAdapters>,
): void {
  describe(`ClusterApi: ${name}`, () => {
    const start = async () => {
      const adapters = await makeAdapters();
      const { snapshot, problems } = await adapters.clusterApi.snapshot();
      const pod = snapshot.pods.find(
        ({ namespace, name }) =>
          namespace === adapters.pending.namespace && name === adapters.pending.name,
      );
      if (pod === undefined) throw new Error('the pending pod is not in the snapshot');
      const eventOf = (message: string): PodEvent => ({
        namespace: pod.namespace,
        pod: pod.name,
        podUid: pod.uid,
        type: 'Normal',
        reason: 'TriggeredScaleUp',
        message,
        atMs: 1_700_000_000_123,
      });
      return { ...adapters, snapshot, problems, pod, eventOf };
    };

    it('shows the nodes and pods that there are', async () => {
      const { snapshot, problems, pod, node } = await start();
      expect(problems).toEqual([]);
      expect(snapshot.nodes.map((each) => each.name)).toContain(node);
      expect(pod).toMatchObject({ phase: 'Pending', requests: { cpu: 64_000 } });
      expect(pod.uid).not.toBe('');
      expect(pod.nodeName).toBeUndefined();
    });

    it('says the same word on a pod once, however often it is posted', async () => {
      const { clusterApi, messages, eventOf } = await start();
      await clusterApi.postPodEvent(eventOf('group a raised from 1 to 2'));
      await clusterApi.postPodEvent({
        ...eventOf('group a raised from 1 to 2'),
        atMs: 1_800_000_000_000,
      });
      await clusterApi.postPodEvent(eventOf('group b raised from 1 to 2'));
      expect((await messages()).toSorted()).toEqual([
        'group a raised from 1 to 2',
        'group b raised from 1 to 2',
      ]);
    });
  });
}
