import { join } from 'node:path';
import type { Certificates } from './certificates.ts';
import type { Binaries, Component } from './control-plane-binaries.ts';

export interface ControlPlanePorts {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
  readonly scheduler: number;
  readonly controllerManager: number;
}

export interface ControlPlaneLayout {
  readonly folder: string;
  readonly binaries: Binaries;
  readonly certificates: Certificates;
  readonly ports: ControlPlanePorts;
  readonly tokensFile: string;
  readonly schedulerConfigFile: string;
  readonly controllerManagerKubeconfig: string;
  readonly nodeMonitorGraceSeconds: number;
}

/** The command line of one component, everything on the loopback interface. */
export const commandOf = (
  component: Component,
  layout: ControlPlaneLayout,
): { readonly command: string; readonly args: readonly string[] } => {
  const [command, ...first] = layout.binaries[component];
  return { command, args: [...first, ...flags[component](layout)] };
};

const flags: Readonly<Record<Component, (layout: ControlPlaneLayout) => readonly string[]>> = {
  etcd: ({ folder, ports }) => [
    '--name=testbed',
    `--data-dir=${join(folder, 'etcd')}`,
    // The data need not survive a crash of the machine, and a test machine's disk may be slow.
    '--unsafe-no-fsync',
    '--log-level=warn',
    `--listen-client-urls=http://127.0.0.1:${ports.etcd}`,
    `--advertise-client-urls=http://127.0.0.1:${ports.etcd}`,
    `--listen-peer-urls=http://127.0.0.1:${ports.etcdPeer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${ports.etcdPeer}`,
    `--initial-cluster=testbed=http://127.0.0.1:${ports.etcdPeer}`,
  ],
  'kube-apiserver': ({ certificates, ports, tokensFile }) => [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${ports.apiServer}`,
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${certificates.certificateFile}`,
    `--tls-private-key-file=${certificates.keyFile}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${certificates.serviceAccountKeyFile}`,
    `--service-account-signing-key-file=${certificates.serviceAccountKeyFile}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--authorization-mode=RBAC',
    `--token-auth-file=${tokensFile}`,
    '--allow-privileged',
  ],
  'kube-scheduler': ({ certificates, ports, schedulerConfigFile }) => [
    `--config=${schedulerConfigFile}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.scheduler}`,
    `--tls-cert-file=${certificates.certificateFile}`,
    `--tls-private-key-file=${certificates.keyFile}`,
  ],
  'kube-controller-manager': (layout) => [
    `--kubeconfig=${layout.controllerManagerKubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${layout.ports.controllerManager}`,
    `--tls-cert-file=${layout.certificates.certificateFile}`,
    `--tls-private-key-file=${layout.certificates.keyFile}`,
    `--service-account-private-key-file=${layout.certificates.serviceAccountKeyFile}`,
    `--root-ca-file=${layout.certificates.caFile}`,
    '--use-service-account-credentials',
    '--leader-elect=false',
    `--node-monitor-grace-period=${layout.nodeMonitorGraceSeconds}s`,
    '--node-monitor-period=1s',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ],
};

/**
 * The scheduler's configuration. Its client limits are lifted (at 50 requests a second, 8,000 pods take
 * minutes) and a pod that failed is tried again after a second at most.
 */
export const schedulerConfig = (
  kubeconfig: string,
): string => `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: { kubeconfig: ${JSON.stringify(kubeconfig)}, qps: 5000, burst: 5000 }
leaderElection: { leaderElect: false }
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 1
`;

/** A kubeconfig with one cluster and one user. */
export const kubeconfig = (server: string, ca: string, token: string): string =>
  `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'testbed',
          cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
        },
      ],
      users: [{ name: 'user', user: { token } }],
      contexts: [{ name: 'testbed', context: { cluster: 'testbed', user: 'user' } }],
      'current-context': 'testbed',
    },
    null,
    2,
  )}\n`;
