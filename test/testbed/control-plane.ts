import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificates, randomToken } from './certificates.ts';
import { type Child, startChild } from './child.ts';
import { type Component, findBinaries } from './control-plane-binaries.ts';
import {
  type ControlPlaneLayout,
  commandOf,
  kubeconfig,
  schedulerConfig,
} from './control-plane-commands.ts';
import { freePorts } from './free-ports.ts';
import { type KubeClient, KubeError, kubeClient } from './kube-client.ts';
import type { Progress } from './run.ts';

/** A real etcd, kube-apiserver, kube-scheduler and kube-controller-manager on this machine. */
export interface ControlPlane {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly adminToken: string;
  readonly kubeconfigPath: string;
  /** As cluster administrator (`system:masters`). */
  readonly admin: KubeClient;
  /** As whoever holds the token; closed with the control plane. */
  clientFor(token: string): KubeClient;
  /** A token of a service account, by the TokenRequest API; valid for a day. */
  serviceAccountToken(namespace: string, name: string): Promise<string>;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  /** Must exist; logs, certificates and etcd's data go there. */
  readonly folder: string;
  readonly progress: Progress;
  /** After which silence a Node's conditions become Unknown. Default: upstream's 50 s. */
  readonly nodeMonitorGraceSeconds?: number;
}

const limitMs = 120_000;
const schedulerUser = 'system:kube-scheduler';
const controllerManagerUser = 'system:kube-controller-manager';

/** Brings it up; what was started is ended again if any part does not become ready. */
export const startControlPlane = async (options: ControlPlaneOptions): Promise<ControlPlane> => {
  const { folder } = options;
  mkdirSync(join(folder, 'log'), { recursive: true });
  const [binaries, certificates, ports] = await Promise.all([
    findBinaries(options.progress),
    makeCertificates(folder),
    freePorts(5),
  ]);
  const [etcd = 0, etcdPeer = 0, apiServer = 0, scheduler = 0, controllerManager = 0] = ports;
  const server = `https://127.0.0.1:${apiServer}`;
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const tokens = { admin: randomToken(), scheduler: randomToken(), controllers: randomToken() };
  const configOf = (token: string): string => kubeconfig(server, certificates.ca, token);
  const layout: ControlPlaneLayout = {
    folder,
    binaries,
    certificates,
    ports: { etcd, etcdPeer, apiServer, scheduler, controllerManager },
    tokensFile: write(
      'tokens.csv',
      `${tokens.admin},admin,admin,system:masters\n` +
        `${tokens.scheduler},${schedulerUser},scheduler\n` +
        `${tokens.controllers},${controllerManagerUser},controllers\n`,
    ),
    schedulerConfigFile: write(
      'scheduler.yaml',
      schedulerConfig(write('scheduler.kubeconfig', configOf(tokens.scheduler))),
    ),
    controllerManagerKubeconfig: write('controllers.kubeconfig', configOf(tokens.controllers)),
    nodeMonitorGraceSeconds: options.nodeMonitorGraceSeconds ?? 50,
  };

  const children: Child[] = [];
  const start = (component: Component): Child => {
    const logFile = join(folder, 'log', `${component}.log`);
    const child = startChild({ name: component, ...commandOf(component, layout), logFile });
    children.push(child);
    return child;
  };
  const clients: KubeClient[] = [];
  const clientFor = (token: string, url = server): KubeClient => {
    const client = kubeClient({ server: url, ca: certificates.ca, token });
    clients.push(client);
    return client;
  };
  const admin = clientFor(tokens.admin);
  const stop = async (): Promise<void> => {
    for (const client of clients) client.close();
    // etcd last: the others would fill their logs with complaints.
    const last = children.filter(({ name }) => name === 'etcd');
    await Promise.all(children.filter(({ name }) => name !== 'etcd').map((child) => child.stop()));
    await Promise.all(last.map((child) => child.stop()));
    // Its log files are preallocated and large; the components' own logs stay for whoever looks for a cause.
    rmSync(join(folder, 'etcd'), { recursive: true, force: true });
  };
  const healthy = (port: number, path: string) => async (): Promise<boolean> => {
    const client = kubeClient({
      server: `https://127.0.0.1:${port}`,
      ca: certificates.ca,
      token: tokens.admin,
    });
    await client.get(path).finally(client.close);
    return true;
  };

  try {
    start('etcd');
    // The API server waits for etcd by itself.
    await start('kube-apiserver').waitUntil(healthy(apiServer, '/readyz'), limitMs);
    const serving = [
      start('kube-scheduler').waitUntil(healthy(scheduler, '/readyz'), limitMs),
      start('kube-controller-manager').waitUntil(healthy(controllerManager, '/healthz'), limitMs),
      makeDefaultServiceAccount(admin),
    ];
    await Promise.all(serving);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    server,
    ca: certificates.ca,
    adminToken: tokens.admin,
    kubeconfigPath: write('kubeconfig', configOf(tokens.admin)),
    admin,
    clientFor: (token) => clientFor(token),
    serviceAccountToken: async (namespace, name) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
      const answer = await admin.create<{ readonly status: { readonly token: string } }>(path, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 86_400 },
      });
      return answer.status.token;
    },
    stop,
  };
};

/** No pod can be created before it is there, and the controller that makes it takes seconds to start. */
const makeDefaultServiceAccount = async (admin: KubeClient): Promise<void> => {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  await admin
    .create(path, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } })
    .catch((error: unknown) => {
      if (!(error instanceof KubeError) || error.reason !== 'AlreadyExists') throw error;
    });
};
