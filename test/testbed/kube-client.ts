import { Agent, request } from 'node:https';

/** An API object as JSON; the test bed reads only the fields it names. */
export type KubeObject = Readonly<Record<string, unknown>> & {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
};

export interface KubeList<T> {
  readonly items: readonly T[];
}

/** The API server refused: `status` is HTTP's, `reason` is Kubernetes' (`Forbidden`, `AlreadyExists`). */
export class KubeError extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.name = 'KubeError';
    this.status = status;
    this.reason = reason;
  }
}

export interface KubeAccess {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

type PatchKind = 'merge' | 'strategic-merge' | 'apply';

const patchTypes: Readonly<Record<PatchKind, string>> = {
  merge: 'application/merge-patch+json',
  'strategic-merge': 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** A plain HTTPS client of one API server, as one user. Paths begin with `/api` or `/apis`. */
export interface KubeClient {
  get<T>(path: string): Promise<T>;
  create<T>(path: string, object: unknown): Promise<T>;
  patch<T>(path: string, kind: PatchKind, change: unknown): Promise<T>;
  remove(path: string, options?: { readonly graceSeconds?: number }): Promise<void>;
  close(): void;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Keeps connections alive; call `close` at the end. Throws `KubeError` for every answer but 2xx. */
export const kubeClient = (access: KubeAccess): KubeClient => {
  const agent = new Agent({ ca: access.ca, keepAlive: true, maxSockets: 32 });

  const send = <T>(call: Call): Promise<T> =>
    new Promise((resolve, reject) => {
      const body = call.body === undefined ? undefined : JSON.stringify(call.body);
      const outgoing = request(
        new URL(call.path, access.server),
        {
          agent,
          method: call.method,
          headers: {
            authorization: `Bearer ${access.token}`,
            accept: 'application/json',
            ...(body === undefined
              ? {}
              : {
                  'content-type': call.contentType ?? 'application/json',
                  'content-length': Buffer.byteLength(body),
                }),
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const status = answer.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve(parsed(text) as T);
            else reject(refusal(call, status, text));
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  return {
    get: (path) => send({ method: 'GET', path }),
    create: (path, body) => send({ method: 'POST', path, body }),
    patch: (path, kind, body) =>
      send({ method: 'PATCH', path, body, contentType: patchTypes[kind] }),
    remove: async (path, options) => {
      const body =
        options?.graceSeconds === undefined
          ? undefined
          : { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: options.graceSeconds };
      await send({ method: 'DELETE', path, ...(body === undefined ? {} : { body }) });
    },
    close: () => agent.destroy(),
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // /readyz and its like answer in plain text.
    return text;
  }
};

const refusal = (call: Call, status: number, text: string): KubeError => {
  const said = parsed(text) as { readonly reason?: string; readonly message?: string } | string;
  const reason = typeof said === 'string' ? '' : (said.reason ?? '');
  const message = typeof said === 'string' ? said : (said.message ?? text);
  return new KubeError(status, reason, `${call.method} ${call.path}: ${status} ${message}`);
};
