import { X509Certificate } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { isJsonObject } from '#cluster/json.ts';
import type {
  AccessFacts,
  ApiAction,
  ApiServerCheck,
  ServerFacts,
} from '#ports/api-server-check.ts';
import { PortError } from '#ports/port-error.ts';
import type { ApiAccess } from './api-access.ts';
import type { ApiClient } from './api-client.ts';
import { connectionError, statusError } from './api-error.ts';
import { guardedLookup } from './guarded-lookup.ts';

export interface ProbeOptions {
  readonly access: () => Promise<ApiAccess>;
  readonly client: () => Promise<ApiClient>;
  /** From a `Date` header, how far its writer's clock is ahead. */
  readonly clockAheadMs: (
    date: string | undefined,
    exchange: { readonly askedMs: number; readonly answeredMs: number },
  ) => number | undefined;
}

const answerMs = 5_000;
const mostBytes = 64 * 1024;

/** Looks at an API server from outside: no secret is told to anybody but the server itself. */
export const apiServerProbe = ({ access, client, clockAheadMs }: ProbeOptions): ApiServerCheck => ({
  access: async () => factsOf(await access()),

  async probe() {
    const { server, ca } = await access();
    return await askVersion({ server, ca }, clockAheadMs);
  },

  async may({ verb, group, resource, object }: ApiAction) {
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb, group, resource, ...object } },
    };
    const answer = await (await client()).post(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body,
    );
    const status = isJsonObject(answer) ? answer.status : undefined;
    if (!isJsonObject(status) || typeof status.allowed !== 'boolean') {
      throw new PortError('unavailable', 'SelfSubjectAccessReview: the answer has no verdict');
    }
    return status.allowed;
  },
});

const factsOf = (access: ApiAccess): AccessFacts => {
  const common = {
    server: access.server,
    authorityExpiresAtMs: Date.parse(new X509Certificate(access.ca).validTo),
  };
  if ('clientCertificate' in access) {
    const expiresAtMs = Date.parse(new X509Certificate(access.clientCertificate).validTo);
    return { ...common, identity: 'client certificate', expiresAtMs };
  }
  if (!('token' in access)) return { ...common, identity: 'EKS' };
  const expiresAtMs = tokenExpiry(access.token);
  return { ...common, identity: 'token', ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
};

/** The `exp` claim of a JSON web token; other tokens do not say. */
const tokenExpiry = (token: string): number | undefined => {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    );
    const exp = isJsonObject(claims) ? claims.exp : undefined;
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
};

const askVersion = (
  { server, ca }: Pick<ApiAccess, 'server' | 'ca'>,
  clockAheadMs: ProbeOptions['clockAheadMs'],
): Promise<ServerFacts> =>
  new Promise((done, refuse) => {
    const call = 'GET /version';
    const fail = (error: unknown): void => refuse(connectionError(call, error));
    const askedMs = Date.now();
    const outgoing = httpsRequest(`${server}/version`, {
      ca,
      agent: false,
      rejectUnauthorized: true,
      lookup: guardedLookup,
      headers: { accept: 'application/json', 'user-agent': 'outrider' },
      signal: AbortSignal.timeout(answerMs),
    });
    outgoing.on('error', (error) => {
      const late = new PortError('timeout', `${call}: no answer within ${answerMs} ms`);
      fail(error.name === 'TimeoutError' || error.name === 'AbortError' ? late : error);
    });
    outgoing.on('response', (answer) => {
      const { valid_to: validTo } = (answer.socket as TLSSocket).getPeerCertificate();
      const ahead = clockAheadMs(answer.headers.date, { askedMs, answeredMs: Date.now() });
      let body = '';
      answer.setEncoding('utf8');
      answer.on('error', fail);
      answer.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > mostBytes) answer.destroy(new Error('the answer is too large'));
      });
      answer.on('end', () => {
        const status = answer.statusCode ?? 0;
        // Where nobody may ask without saying who they are, the server is there all the same.
        const closed = status === 401 || status === 403;
        if (status !== 200 && !closed) return refuse(statusError(call, { status }, body));
        done({
          version: closed ? 'version not told to strangers' : versionOf(body),
          certificateExpiresAtMs: Date.parse(validTo),
          ...(ahead === undefined ? {} : { clockAheadMs: ahead }),
        });
      });
    });
    outgoing.end();
  });

const versionOf = (body: string): string => {
  try {
    const { gitVersion } = JSON.parse(body) as { readonly gitVersion?: unknown };
    return typeof gitVersion === 'string' ? gitVersion : 'unknown version';
  } catch {
    return 'unknown version';
  }
};
