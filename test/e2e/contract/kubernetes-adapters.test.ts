import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '#adapters/kubernetes/api-client.ts';
import { knownClusters } from '#adapters/kubernetes/known-clusters.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import { type PodChange, watchPods } from '#adapters/kubernetes/pod-watch.ts';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { PodView } from '#cluster/snapshot.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import {
  describeClusterApiContract,
  filteredObjects,
} from '../../contract/cluster-api-contract.ts';
import { type ControlPlane, startControlPlane } from '../../testbed/control-plane.ts';
import { testbedAvailable } from '../../testbed/testbed.ts';
import '../../helpers/own-temporary-folder.ts';

const unavailable = await testbedAvailable();
let controlPlane: ControlPlane;
let client: ApiClient;
let names = 0;
const freshName = (kind: string): string => `${kind}-${++names}`;

const access = () => {
  const { server, ca, adminToken: token } = controlPlane;
  return { server, ca, token };
};

const createPod = async (name: string, cpu: string): Promise<void> => {
  const container = { name: 'main', image: 'none', resources: { requests: { cpu } } };
  await controlPlane.admin.create('/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [container], terminationGracePeriodSeconds: 0 },
  });
};

const zone = 'topology.kubernetes.io/zone';

/** A pod with something of all that filters look at, as somebody would write it. */
const demandingPod = (name: string) => {
  const labelSelector = { matchLabels: { app: 'web' } };
  const term = {
    topologyKey: zone,
    labelSelector,
    matchLabelKeys: ['pod-template-hash', 'absent'],
    mismatchLabelKeys: ['tenant'],
  };
  const affinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [term],
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 3, podAffinityTerm: { ...term, namespaceSelector: {} } },
    ],
  };
  const preference = { matchExpressions: [{ key: zone, operator: 'In', values: ['a'] }] };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      labels: { app: 'web', 'pod-template-hash': 'h', tenant: 't' },
    },
    spec: {
      terminationGracePeriodSeconds: 0,
      hostNetwork: true,
      resources: { limits: { cpu: '70', memory: '1Gi' } },
      containers: [
        {
          name: 'main',
          image: 'none',
          ports: [{ containerPort: 8080 }],
          resources: { limits: { cpu: '64' } },
        },
      ],
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }],
        },
        podAffinity: affinity,
        podAntiAffinity: affinity,
      },
      topologySpreadConstraints: [
        {
          topologyKey: zone,
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector,
          matchLabelKeys: ['pod-template-hash'],
        },
      ],
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        {
          name: 'scratch',
          ephemeral: {
            volumeClaimTemplate: {
              spec: {
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '1Gi' } },
              },
            },
          },
        },
        { name: 'disk', awsElasticBlockStore: { volumeID: 'vol-1' } },
        { name: 'image', rbd: { monitors: ['m1', 'm2'], image: 'i' } },
      ],
    },
  };
};

/** Without what admission adds: tolerations, a priority. */
const demandsOf = (pod: PodView | undefined) => {
  if (pod === undefined) throw new Error('the pod is not there');
  const { uid, createdAtMs, scheduled, tolerations, priority, ...demands } = pod;
  return demands;
};

interface RawEvent {
  readonly message: string;
  readonly reason: string;
  readonly reportingComponent: string;
  readonly eventTime: string;
}

/** As `kubectl describe pod` asks for them: core events by the object they are about. */
const eventsOn = async (pod: string): Promise<readonly RawEvent[]> => {
  const selector = `involvedObject.kind=Pod,involvedObject.name=${pod}`;
  const path = `/api/v1/namespaces/default/events?fieldSelector=${encodeURIComponent(selector)}`;
  const list = await controlPlane.admin.get<{ readonly items: readonly RawEvent[] }>(path);
  return list.items.filter(({ reportingComponent }) => reportingComponent.startsWith('outrider'));
};

describe.skipIf(unavailable !== undefined)(
  `Kubernetes adapters${unavailable ? ` (${unavailable})` : ''}`,
  () => {
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'outrider-contract-'));
      controlPlane = await startControlPlane({ folder, progress: () => {} });
      client = createApiClient(access());
      for (const { path, ...object } of filteredObjects) {
        await controlPlane.admin.create(path, object);
      }
    });
    afterAll(async () => {
      client?.close();
      await controlPlane?.stop();
    });

    const makeAdapters = async () => {
      const node = freshName('node');
      const pod = freshName('pod');
      await controlPlane.admin.create('/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: node },
      });
      await createPod(pod, '64');
      return {
        clusterApi: kubernetesClusterApi(client),
        node,
        pending: { namespace: 'default', name: pod },
        messages: async () => (await eventsOn(pod)).map(({ message }) => message),
      };
    };

    describeClusterApiContract('API server', makeAdapters);

    describe('Kubernetes cluster API', () => {
      it('posts an Event that the API server takes, with a note at its limit', async () => {
        const { clusterApi, pending } = await makeAdapters();
        const { snapshot } = await clusterApi.snapshot();
        const uid = snapshot.pods.find(({ name }) => name === pending.name)?.uid ?? '';
        await clusterApi.postPodEvent({
          namespace: 'default',
          pod: pending.name,
          podUid: uid,
          type: 'Warning',
          reason: 'NotTriggerScaleUp',
          message: 'ä'.repeat(2_000),
          atMs: 1_700_000_000_123,
        });
        const [event] = await eventsOn(pending.name);
        expect(event).toMatchObject({
          reason: 'NotTriggerScaleUp',
          reportingComponent: 'outrider.dev/scale-up',
          eventTime: '2023-11-14T22:13:20.123000Z',
        });
        expect(event?.message).toMatch(/^ä+…$/);
      });

      it('reads lists of more than one page whole', async () => {
        const made = Array.from({ length: 1_001 }, (_, index) => `paged-${index}`);
        const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
        const leaseOf = (name: string) => ({
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name },
        });
        for (let from = 0; from < made.length; from += 50) {
          const some = made.slice(from, from + 50);
          await Promise.all(some.map((name) => controlPlane.admin.create(path, leaseOf(name))));
        }
        const { snapshot } = await kubernetesClusterApi(client).snapshot();
        const seen = new Set(snapshot.leases.map(({ name }) => name));
        expect(made.filter((name) => !seen.has(name))).toEqual([]);
      });

      it('reads a stored pod as the same pod before the API server filled it in', async () => {
        const pod = demandingPod(freshName('demanding'));
        const { snapshot: before, problems } = readClusterObjects([{ object: pod }]);
        expect(problems).toEqual([]);
        await controlPlane.admin.create('/api/v1/namespaces/default/pods', pod);
        const { snapshot: after } = await kubernetesClusterApi(client).snapshot();
        const stored = after.pods.find(({ name }) => name === pod.metadata.name);
        expect(demandsOf(stored)).toEqual(demandsOf(before.pods[0]));
        expect(stored?.podAffinity?.required[0]?.selector?.matchExpressions).toHaveLength(2);
      });

      it("is refused where the token is nobody's", async () => {
        const nobody = createApiClient({ ...access(), token: 'nobody' });
        const look = kubernetesClusterApi(nobody).snapshot();
        await expect(look).rejects.toMatchObject({ code: 'forbidden' });
        nobody.close();
      });
    });

    describe('following the changes of a large list', () => {
      it('shows what a list shows, without listing again', async () => {
        const asked: string[] = [];
        const counted: ApiClient = {
          ...client,
          get(path, query, signal) {
            if (path === '/api/v1/pods') asked.push(query?.limit === '1' ? 'one' : 'list');
            return client.get(path, query, signal);
          },
          lines(path, query, signal) {
            if (path === '/api/v1/pods') asked.push('watch');
            return client.lines(path, query, signal);
          },
        };
        const known = knownClusters().of('a');
        const following = kubernetesClusterApi(counted, { known, followFrom: 1 });
        const listing = kubernetesClusterApi(client);
        const podsOf = async (api: ClusterApi) => (await api.snapshot()).snapshot.pods;
        const path = '/api/v1/namespaces/default/pods';
        const [kept, gone, later] = [freshName('kept'), freshName('gone'), freshName('later')];
        await createPod(kept, '64');
        await createPod(gone, '64');
        await podsOf(following);
        // Until the scheduler has said its word on them, or the list below shows another state.
        await expect
          .poll(async () => (await podsOf(listing)).filter((pod) => !pod.scheduled), {
            timeout: 30_000,
          })
          .toEqual([]);
        asked.length = 0;
        await controlPlane.admin.remove(`${path}/${gone}`, { graceSeconds: 0 });
        await createPod(later, '64');
        const label = { metadata: { labels: { touched: 'yes' } } };
        await controlPlane.admin.patch(`${path}/${kept}`, 'merge', label);
        await expect
          .poll(async () => (await podsOf(listing)).filter((pod) => !pod.scheduled), {
            timeout: 30_000,
          })
          .toEqual([]);
        const pods = await podsOf(following);
        expect(asked).toEqual(['one', 'watch']);
        expect(pods).toEqual(await podsOf(listing));
        const names = pods.map(({ name }) => name);
        expect(names).toContain(later);
        expect(names).not.toContain(gone);
      });
    });

    describe('pod watch', () => {
      it('tells of pods that are there, turn Unschedulable, and are deleted', async () => {
        const before = freshName('watched');
        const later = freshName('watched');
        await createPod(before, '64');
        const ending = new AbortController();
        const changes: PodChange[] = [];
        const watch = (async () => {
          const options = {
            signal: ending.signal,
            random: Math.random,
            sleep: (ms: number) => sleep(ms),
            onTrouble: () => {},
          };
          for await (const change of watchPods(client, options)) changes.push(change);
        })();
        const named = (name: string, kind: PodChange['kind']) =>
          changes
            .filter((change) => change.kind === kind)
            .flatMap((change) => (change.kind === 'listed' ? change.objects : [change.object]))
            .filter((pod) => pod.name === name);
        const soon = { timeout: 30_000 };
        await expect.poll(() => named(before, 'listed'), soon).toHaveLength(1);
        await createPod(later, '64');
        await expect
          .poll(() => named(later, 'changed').some((pod) => pod.unschedulableSince), soon)
          .toBe(true);
        await controlPlane.admin.remove(`/api/v1/namespaces/default/pods/${later}`);
        await expect.poll(() => named(later, 'gone').length, soon).toBeGreaterThan(0);
        ending.abort();
        await watch;
        expect(changes.filter(({ kind }) => kind === 'listed')).toHaveLength(1);
      });
    });
  },
);
