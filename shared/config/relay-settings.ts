import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readKubeconfig } from './kubeconfig.ts';

/** How the relay reaches its API server, and what it tells whom. */
export interface RelaySettings {
  readonly server: string;
  /** PEM, or base64 of it. */
  readonly ca: string;
  /** A file is read again while the relay runs: its token rotates. */
  readonly token: { readonly value: string } | { readonly file: string };
  readonly cluster: string;
  readonly network: string;
  /** Name or ARN of the custom bus. */
  readonly bus: string;
  /** Where probes are answered; nowhere if absent. */
  readonly health?: HealthAddress;
}

/** Without a host: all addresses of the machine. */
export interface HealthAddress {
  readonly host?: string;
  readonly port: number;
}

type Variables = Readonly<Record<string, string | undefined>>;
type ReadFile = (path: string) => string;

export const relayUsage = `outrider relay: tells Outrider of pods that the scheduler could not place and of nodes that change.

  --cluster NAME      the cluster's name in outrider.yaml      (or OUTRIDER_CLUSTER)
  --network NAME      the network that its functions stand in  (or OUTRIDER_NETWORK)
  --bus NAME          the custom event bus                     (or OUTRIDER_BUS)
  --health [HOST:]PORT  answers /livez and /readyz there       (or OUTRIDER_HEALTH)

How to reach the API server; without any of these as a pod of the cluster:
  --kubeconfig FILE   server, CA and token of its current context
  --server URL --ca-file FILE --token-file FILE

Region, credentials and endpoint of AWS come from the environment, as for the AWS CLI.`;

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

const options = {
  cluster: { type: 'string' },
  network: { type: 'string' },
  bus: { type: 'string' },
  health: { type: 'string' },
  kubeconfig: { type: 'string' },
  server: { type: 'string' },
  'ca-file': { type: 'string' },
  'token-file': { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Flags = ReturnType<typeof parse>;
const parse = (argv: readonly string[]) => parseArgs({ args: [...argv], options }).values;

/**
 * Reads the relay's flags and environment. `undefined` where only help is wanted; throws an Error of one
 * line that names what is wrong and the remedy.
 */
export function readRelaySettings(
  argv: readonly string[],
  variables: Variables = process.env,
  readFile: ReadFile = (path) => readFileSync(path, 'utf8'),
): RelaySettings | undefined {
  const flags = parse(argv);
  if (flags.help === true) return undefined;
  const named = (flag: 'cluster' | 'network' | 'bus'): string => {
    const variable = `OUTRIDER_${flag.toUpperCase()}`;
    const value = flags[flag] ?? variables[variable];
    if (!value) throw new Error(`--${flag} is missing: give it, or set ${variable}.`);
    return value;
  };
  const health = flags.health ?? variables.OUTRIDER_HEALTH;
  return {
    cluster: named('cluster'),
    network: named('network'),
    bus: named('bus'),
    ...(health && { health: readAddress(health) }),
    ...reachApiServer(flags, variables, readFile),
  };
}

function readAddress(given: string): HealthAddress {
  const pattern = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/;
  const [, bracketed, plain, digits] = pattern.exec(given) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits ?? 0);
  if (port < 1 || port > 65_535) {
    throw new Error(`--health is ${given}: give [HOST:]PORT, such as 8080 or 127.0.0.1:8080.`);
  }
  return { ...(host !== undefined && { host }), port };
}

type Reach = Pick<RelaySettings, 'server' | 'ca' | 'token'>;

function reachApiServer(flags: Flags, variables: Variables, readFile: ReadFile): Reach {
  if (flags.kubeconfig !== undefined) {
    if (flags.server !== undefined) throw new Error('Give --kubeconfig or --server, not both.');
    return fromKubeconfig(flags.kubeconfig, readFile);
  }
  const server = flags.server ?? inClusterServer(variables);
  if (server === undefined) {
    throw new Error(
      'Outside a cluster, give --kubeconfig FILE or --server, --ca-file, --token-file.',
    );
  }
  return {
    server,
    ca: readNamed(flags['ca-file'] ?? `${serviceAccount}/ca.crt`, '--ca-file', readFile),
    token: { file: flags['token-file'] ?? `${serviceAccount}/token` },
  };
}

function inClusterServer(variables: Variables): string | undefined {
  const host = variables.KUBERNETES_SERVICE_HOST;
  if (!host) return undefined;
  const address = host.includes(':') ? `[${host}]` : host;
  return `https://${address}:${variables.KUBERNETES_SERVICE_PORT || '443'}`;
}

function fromKubeconfig(path: string, readFile: ReadFile): Reach {
  const context = readKubeconfig(path, readNamed(path, '--kubeconfig', readFile));
  // Relative paths are meant from where the kubeconfig is.
  const beside = (file: string): string => resolve(dirname(path), file);
  return {
    server: context.server,
    ca:
      context.ca ??
      readNamed(beside(context.caFile ?? ''), `${path}: certificate-authority`, readFile),
    token:
      context.tokenFile === undefined
        ? { value: context.token ?? '' }
        : { file: beside(context.tokenFile) },
  };
}

function readNamed(path: string, what: string, readFile: ReadFile): string {
  try {
    return readFile(path);
  } catch (error) {
    throw new Error(`${what} ${path} cannot be read: ${(error as Error).message}`);
  }
}
