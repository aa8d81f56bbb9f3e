import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificates, randomToken } from '../testbed/certificates.ts';
import { type Child, startChild } from '../testbed/child.ts';
import { type Component, findBinaries } from '../testbed/control-plane-binaries.ts';
import { type ControlPlaneLayout, commandOf } from '../testbed/control-plane-commands.ts';
import { freePorts } from '../testbed/free-ports.ts';
import { type KubeAccess, kubeClient } from '../testbed/kube-client.ts';
import type { Progress } from '../testbed/run.ts';

/** etcd and kube-apiserver alone: nothing changes but what the benchmark changes. */
export interface BareControlPlane {
  readonly access: KubeAccess;
  stop(): Promise<void>;
}

const etcdLimitMs = 60_000;
/** The API server reads all of etcd into its cache before it is ready. */
const apiServerLimitMs = 900_000;

/** What the test bed's own command lines lack for a large cluster. */
const largeCluster: Readonly<Partial<Record<Component, readonly string[]>>> = {
  etcd: [`--quota-backend-bytes=${8 * 2 ** 30}`, '--max-request-bytes=8388608'],
  'kube-apiserver': ['--max-mutating-requests-inflight=1000', '--max-requests-inflight=2000'],
};

/**
 * Starts etcd, lets `fill` put objects into it through its JSON gateway, then starts the API server over it.
 * `folder` must exist; what was started is ended again if anything fails.
 */
export const startBareControlPlane = async (
  folder: string,
  progress: Progress,
  fill: (etcdUrl: string) => Promise<void>,
): Promise<BareControlPlane> => {
  mkdirSync(join(folder, 'log'), { recursive: true });
  const [binaries, certificates, ports] = await Promise.all([
    findBinaries(progress),
    makeCertificates(folder),
    freePorts(3),
  ]);
  const [etcd = 0, etcdPeer = 0, apiServer = 0] = ports;
  const token = randomToken();
  const tokensFile = join(folder, 'tokens.csv');
  writeFileSync(tokensFile, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const layout: ControlPlaneLayout = {
    folder,
    binaries,
    certificates,
    ports: { etcd, etcdPeer, apiServer, scheduler: 0, controllerManager: 0 },
    tokensFile,
    schedulerConfigFile: '',
    controllerManagerKubeconfig: '',
    nodeMonitorGraceSeconds: 50,
  };
  const children: Child[] = [];
  const start = (component: Component): Child => {
    const { command, args } = commandOf(component, layout);
    const logFile = join(folder, 'log', `${component}.log`);
    const all = [...args, ...(largeCluster[component] ?? [])];
    const child = startChild({ name: component, command, args: all, logFile });
    children.unshift(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    // The API server first: it would fill its log with complaints.
    for (const child of children) await child.stop();
    rmSync(join(folder, 'etcd'), { recursive: true, force: true });
  };
  const access = { server: `https://127.0.0.1:${apiServer}`, ca: certificates.ca, token };
  try {
    const etcdUrl = `http://127.0.0.1:${etcd}`;
    await start('etcd').waitUntil(async () => (await fetch(`${etcdUrl}/health`)).ok, etcdLimitMs);
    await fill(etcdUrl);
    progress('starting the API server');
    await start('kube-apiserver').waitUntil(async () => {
      const client = kubeClient(access);
      await client.get('/readyz').finally(client.close);
      return true;
    }, apiServerLimitMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return { access, stop };
};
