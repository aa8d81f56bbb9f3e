import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { KubeClient } from './kube-client.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const rbacFolder = fileURLToPath(new URL('../../infra/rbac', import.meta.url));

const plural: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  ServiceAccount: 'serviceaccounts',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

/** Applies the RBAC that the project ships, as `kubectl apply -f infra/rbac` would; gives what it applied. */
export const applyRbac = async (admin: KubeClient): Promise<readonly Manifest[]> => {
  const manifests = readdirSync(rbacFolder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => parseAllDocuments(readFileSync(join(rbacFolder, name), 'utf8')))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
  const order = Object.keys(plural);
  const sorted = manifests.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  for (const manifest of sorted) {
    await admin.patch(`${pathOf(manifest)}?fieldManager=testbed&force=true`, 'apply', manifest);
  }
  return sorted;
};

const pathOf = ({ apiVersion, kind, metadata }: Manifest): string => {
  const resource = plural[kind];
  if (resource === undefined) throw new Error(`infra/rbac: ${kind} is not expected there`);
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const namespace = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${group}${namespace}/${resource}/${metadata.name}`;
};
