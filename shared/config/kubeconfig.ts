import { parse } from 'yaml';

/** What the current context of a kubeconfig says; files are still to be read. */
export interface KubeconfigContext {
  readonly server: string;
  /** PEM or base64 of it. */
  readonly ca?: string;
  readonly caFile?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

type Named = Readonly<Record<string, unknown>>;

/**
 * Reads the current context of a kubeconfig that names a server, a CA and a token. Throws an Error with
 * file, field and remedy where it wants anything else (`exec`, client certificates, no verification).
 */
export function readKubeconfig(file: string, text: string): KubeconfigContext {
  const refuse = (why: string): Error => new Error(`${file}: ${why}`);
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw refuse(`not YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  const config = asObject(content);
  const current = config['current-context'];
  if (typeof current !== 'string' || current === '') {
    throw refuse('current-context is not set; set it with kubectl config use-context.');
  }
  const named = (list: string, name: unknown, kind: string): Named => {
    const entries = config[list];
    const entry = (Array.isArray(entries) ? entries : []).find(
      (each) => asObject(each).name === name,
    );
    if (entry === undefined) throw refuse(`${list} has no entry "${String(name)}".`);
    return asObject(asObject(entry)[kind]);
  };
  const context = named('contexts', current, 'context');
  const cluster = named('clusters', context.cluster, 'cluster');
  const user = named('users', context.user, 'user');

  if (cluster['insecure-skip-tls-verify'] === true) {
    throw refuse('insecure-skip-tls-verify is not allowed; give certificate-authority-data.');
  }
  for (const way of ['exec', 'auth-provider', 'client-certificate', 'client-certificate-data']) {
    if (user[way] !== undefined) {
      throw refuse(`users[].user.${way} is not supported; use the token of a service account.`);
    }
  }
  const server = textOf(cluster.server);
  if (server === undefined) throw refuse('clusters[].cluster.server is missing.');
  const ca = textOf(cluster['certificate-authority-data']);
  const caFile = textOf(cluster['certificate-authority']);
  const token = textOf(user.token);
  const tokenFile = textOf(user.tokenFile);
  if (ca === undefined && caFile === undefined) {
    throw refuse('clusters[].cluster.certificate-authority-data is missing.');
  }
  if (token === undefined && tokenFile === undefined) {
    throw refuse('users[].user.token is missing; use the token of a service account.');
  }
  return {
    server,
    ...(ca !== undefined && { ca }),
    ...(ca === undefined && caFile !== undefined && { caFile }),
    // As in client-go: a token file, read again as it rotates, goes before a token.
    ...(tokenFile !== undefined ? { tokenFile } : token !== undefined && { token }),
  };
}

const asObject = (value: unknown): Named =>
  typeof value === 'object' && value !== null ? (value as Named) : {};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
