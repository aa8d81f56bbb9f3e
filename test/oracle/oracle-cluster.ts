import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates, randomToken } from '../testbed/certificates.ts';
import { type Child, startChild } from '../testbed/child.ts';
import { type Component, findBinaries } from '../testbed/control-plane-binaries.ts';
import {
  type ControlPlaneLayout,
  commandOf,
  kubeconfig,
  schedulerConfig,
} from '../testbed/control-plane-commands.ts';
import { freePorts } from '../testbed/free-ports.ts';
import { type KubeClient, kubeClient } from '../testbed/kube-client.ts';
import type { Progress } from '../testbed/run.ts';
import { type RefusingExtender, startRefusingExtender } from './extender.ts';

/** etcd, kube-apiserver and a kube-scheduler that tries pods and binds none; no controller is there to interfere. */
export interface OracleCluster {
  readonly admin: KubeClient;
  readonly extender: RefusingExtender;
  /** Logs. */
  readonly folder: string;
  stop(): Promise<void>;
}

const limitMs = 120_000;

/**
 * Admission plugins that change or refuse what a scene says: scenes set priorities, overheads and tolerations
 * themselves, nodes have the taints of the scene alone, and claims go as soon as they are deleted.
 */
const withoutAdmission = [
  'DefaultTolerationSeconds',
  'Priority',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
];

/** Tolerations that compare numbers are still alpha in 1.37: asked about all the same. */
const gates = '--feature-gates=TaintTolerationComparisonOperators=true';

const more: Readonly<Partial<Record<Component, readonly string[]>>> = {
  'kube-apiserver': [
    `--disable-admission-plugins=${withoutAdmission.join(',')}`,
    gates,
    '--max-mutating-requests-inflight=1000',
    '--max-requests-inflight=2000',
  ],
  'kube-scheduler': [gates],
};

const profile = `profiles:
  - schedulerName: default-scheduler
    plugins: { multiPoint: { disabled: [{ name: DefaultPreemption }] } }
`;

const oracleConfig = (kubeconfigFile: string, extenderUrl: string): string =>
  `${schedulerConfig(kubeconfigFile)}percentageOfNodesToScore: 100
${profile}extenders:
  - { urlPrefix: "${extenderUrl}", filterVerb: filter, nodeCacheCapable: true, httpTimeout: 60s }
`;

/**
 * Brings it up; what was started ends again if any part does not become ready. A scheduler that `binds` asks
 * no extender, and scores as many nodes as by default.
 */
export const startOracleCluster = async (
  progress: Progress,
  { binds = false }: { readonly binds?: boolean } = {},
): Promise<OracleCluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-oracle-'));
  mkdirSync(join(folder, 'log'), { recursive: true });
  const [binaries, certificates, ports, extender] = await Promise.all([
    findBinaries(progress),
    makeCertificates(folder),
    freePorts(4),
    startRefusingExtender(),
  ]);
  const [etcd = 0, etcdPeer = 0, apiServer = 0, scheduler = 0] = ports;
  const server = `https://127.0.0.1:${apiServer}`;
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const tokens = { admin: randomToken(), scheduler: randomToken() };
  const schedulerKubeconfig = write(
    'scheduler.kubeconfig',
    kubeconfig(server, certificates.ca, tokens.scheduler),
  );
  const layout: ControlPlaneLayout = {
    folder,
    binaries,
    certificates,
    ports: { etcd, etcdPeer, apiServer, scheduler, controllerManager: 0 },
    tokensFile: write(
      'tokens.csv',
      `${tokens.admin},admin,admin,system:masters\n${tokens.scheduler},system:kube-scheduler,scheduler\n`,
    ),
    schedulerConfigFile: write(
      'scheduler.yaml',
      binds
        ? `${schedulerConfig(schedulerKubeconfig)}${profile}`
        : oracleConfig(schedulerKubeconfig, extender.url),
    ),
    controllerManagerKubeconfig: '',
    nodeMonitorGraceSeconds: 50,
  };
  const children: Child[] = [];
  const start = (component: Component): Child => {
    const { command, args } = commandOf(component, layout);
    const logFile = join(folder, 'log', `${component}.log`);
    const all = [...args, ...(more[component] ?? [])];
    const child = startChild({ name: component, command, args: all, logFile });
    children.unshift(child);
    return child;
  };
  const access = { server, ca: certificates.ca, token: tokens.admin };
  const admin = kubeClient(access);
  const healthy = (url: string) => async (): Promise<boolean> => {
    const client = kubeClient({ ...access, server: url });
    await client.get('/readyz').finally(client.close);
    return true;
  };
  const stop = async (): Promise<void> => {
    admin.close();
    // etcd last: the others would fill their logs with complaints.
    for (const child of children) await child.stop();
    await extender.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    start('etcd');
    await start('kube-apiserver').waitUntil(healthy(server), limitMs);
    const schedulerUrl = `https://127.0.0.1:${scheduler}`;
    await start('kube-scheduler').waitUntil(healthy(schedulerUrl), limitMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return { admin, extender, folder, stop };
};
