import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type ControlPlane, startControlPlane } from '../../testbed/control-plane.ts';
import { applyRbac } from '../../testbed/rbac.ts';
import { testbedAvailable } from '../../testbed/testbed.ts';
import '../../helpers/own-temporary-folder.ts';

const unavailable = await testbedAvailable();
let controlPlane: ControlPlane;

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
}
interface Deployment extends Manifest {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly metadata: object; readonly spec: object };
  };
}

const file = new URL('../../../relay/deploy/relay.yaml', import.meta.url);
const manifests = parseAllDocuments(readFileSync(file, 'utf8')).map(
  (document) => document.toJS() as Manifest,
);
const deployment = manifests.find(({ kind }) => kind === 'Deployment') as Deployment;

const pathOf = ({ apiVersion, kind, metadata }: Manifest): string =>
  `/apis/${apiVersion}/namespaces/${metadata.namespace}/${kind.toLowerCase()}s/${metadata.name}`;

const podNamed = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  ...deployment.spec.template,
  metadata: { ...deployment.spec.template.metadata, name, namespace },
});

const createNode = async (name: string, taints: readonly object[]): Promise<void> => {
  const { admin } = controlPlane;
  const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': name };
  const role = taints.length === 0 ? {} : { 'node-role.kubernetes.io/control-plane': '' };
  await admin.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels, ...role } },
    spec: { taints },
  });
  const amounts = { cpu: '2', memory: '4Gi', pods: '10' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  await admin.patch(`/api/v1/nodes/${name}/status`, 'strategic-merge', {
    status: { capacity: amounts, allocatable: amounts, conditions },
  });
};

const nodeOf = (name: string) => async (): Promise<string | undefined> => {
  const path = `/api/v1/namespaces/outrider/pods/${name}`;
  const pod = await controlPlane.admin.get<{ readonly spec: { readonly nodeName?: string } }>(path);
  return pod.spec.nodeName;
};

describe.skipIf(unavailable !== undefined)(
  `relay deployment${unavailable ? ` (${unavailable})` : ''}`,
  () => {
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'outrider-relay-deployment-'));
      controlPlane = await startControlPlane({ folder, progress: () => {} });
      await applyRbac(controlPlane.admin);
    });
    afterAll(async () => {
      await controlPlane?.stop();
    });

    it.each(manifests.map((manifest) => [manifest.kind, manifest] as const))(
      '%s is taken by an API server that checks every field',
      async (_kind, manifest) => {
        const query = 'fieldManager=check&fieldValidation=Strict&dryRun=All';
        const taken = await controlPlane.admin.patch<Manifest>(
          `${pathOf(manifest)}?${query}`,
          'apply',
          manifest,
        );
        expect(taken.metadata.name).toBe('outrider-relay');
      },
    );

    it('is allowed where the restricted Pod Security Standard is enforced', async () => {
      const { admin } = controlPlane;
      const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
      const metadata = { name: 'strict', labels };
      await admin.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
      await admin.create('/api/v1/namespaces/strict/serviceaccounts', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'outrider-relay' },
      });
      const path = '/api/v1/namespaces/strict/pods?dryRun=All';
      await admin.create(path, podNamed('allowed', 'strict'));
      const loose = podNamed('refused', 'strict');
      const refused = admin.create(path, { ...loose, spec: { ...loose.spec, hostNetwork: true } });
      await expect(refused).rejects.toMatchObject({ reason: 'Forbidden' });
    });

    it('runs on control-plane nodes where there is no worker, each replica on one of its own', async () => {
      const taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
      await createNode('control-plane-1', [taint]);
      await createNode('control-plane-2', [taint]);
      const replicas = ['first', 'second'];
      const soon = { timeout: 60_000, interval: 200 };
      for (const name of replicas) {
        await controlPlane.admin.create(
          '/api/v1/namespaces/outrider/pods',
          podNamed(name, 'outrider'),
        );
        await expect.poll(nodeOf(name), soon).toBeDefined();
      }
      const nodes = await Promise.all(replicas.map((name) => nodeOf(name)()));
      expect(nodes.toSorted()).toEqual(['control-plane-1', 'control-plane-2']);
      expect(deployment.spec.replicas).toBe(2);
    });

    it('may watch what it watches under the role that is shipped, and nothing beyond', async () => {
      const token = await controlPlane.serviceAccountToken('outrider', 'outrider-relay');
      const relay = controlPlane.clientFor(token);
      await relay.get('/api/v1/pods?limit=1');
      await relay.get('/api/v1/nodes?limit=1');
      for (const path of ['/api/v1/secrets', '/api/v1/configmaps', '/api/v1/events']) {
        await expect(relay.get(path)).rejects.toMatchObject({ reason: 'Forbidden' });
      }
    });
  },
);
