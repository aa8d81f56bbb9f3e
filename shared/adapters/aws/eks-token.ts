import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { EksAccess } from '#adapters/kubernetes/api-access.ts';
import { setNewest } from '#cluster/newest.ts';
import { PortError } from '#ports/port-error.ts';
import { calling } from './aws-error.ts';

/** What an AWS SDK client's `config.credentials()` resolves to. */
export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly expiration?: Date | undefined;
}

export interface EksTokenOptions {
  /** The function's own, or those of the role where one is named. */
  readonly credentials: (roleArn: string | undefined) => Promise<SigningCredentials>;
  /** Where the secret names none: the function's own. */
  readonly region: () => Promise<string>;
  readonly nowMs: () => number;
}

/** Bearer tokens of one process, made when needed and used while they are fresh. */
export interface EksTokens {
  tokenFor(access: EksAccess): Promise<string>;
  /** Makes the next token anew: the API server has just refused this one. */
  forget(access: EksAccess): void;
}

const prefix = 'k8s-aws-v1.';
const clusterHeader = 'x-k8s-aws-id';
/** STS takes the URL for 15 minutes whatever this says; old authenticators refuse more than 60. */
const presignSeconds = 60;
const refreshMs = 10 * 60_000;
/** A token is worth no more than the credentials that signed it. */
const marginMs = 60_000;
/** Of each a few hundred bytes: more clusters than one process looks at. */
const mostKept = 2_000;

interface KeptToken {
  readonly token: string;
  readonly until: number;
}

/**
 * Tokens as `aws eks get-token` and aws-iam-authenticator make them (sigs.k8s.io/aws-iam-authenticator,
 * pkg/token/token.go): a presigned GetCallerIdentity request of the regional STS, bound to the cluster by the signed
 * header `x-k8s-aws-id`, in base64url behind `k8s-aws-v1.`. They are valid for 15 minutes and made anew after
 * 10, or a minute before the credentials behind them end. Nothing is sent to STS, save by `credentials`.
 */
export function eksTokens(options: EksTokenOptions): EksTokens {
  const kept = new Map<string, KeptToken>();
  return {
    async tokenFor(access) {
      const key = keyOf(access);
      const nowMs = options.nowMs();
      const before = kept.get(key);
      if (before !== undefined && nowMs < before.until) return before.token;
      const credentials = await calling(`credentials of ${access.roleArn ?? 'this process'}`, () =>
        options.credentials(access.roleArn),
      );
      const region = access.region ?? (await options.region());
      const token = await presignToken({ cluster: access.eksCluster, region, credentials, nowMs });
      const until = Math.min(nowMs + refreshMs, endOf(credentials) - marginMs);
      setNewest(kept, [key, { token, until }], mostKept);
      return token;
    },
    forget(access) {
      kept.delete(keyOf(access));
    },
  };
}

const keyOf = ({ eksCluster, region, roleArn }: EksAccess): string =>
  JSON.stringify([eksCluster, region, roleArn]);

const endOf = ({ expiration }: SigningCredentials): number =>
  expiration?.getTime() ?? Number.POSITIVE_INFINITY;

interface Presigning {
  readonly cluster: string;
  readonly region: string;
  readonly credentials: SigningCredentials;
  readonly nowMs: number;
}

async function presignToken(given: Presigning): Promise<string> {
  const hostname = stsHost(given.region);
  const { accessKeyId, secretAccessKey, sessionToken } = given.credentials;
  const signer = new SignatureV4({
    service: 'sts',
    region: given.region,
    credentials: {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
    },
    sha256: Sha256,
  });
  const signed = await signer.presign(
    {
      method: 'GET',
      protocol: 'https:',
      hostname,
      path: '/',
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
      headers: { host: hostname, [clusterHeader]: given.cluster },
    },
    { expiresIn: presignSeconds, signingDate: new Date(given.nowMs) },
  );
  const query = Object.entries(signed.query ?? {})
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  const url = `https://${hostname}/?${query}`;
  const token = prefix + Buffer.from(url).toString('base64url');
  if (token.length > longestToken) {
    const said = `EKS token of ${given.cluster}: the session token of the credentials is too long`;
    throw new PortError('invalid', said);
  }
  return token;
}

/** Authenticators refuse longer ones. */
const longestToken = 4_096;

const stsHost = (region: string): string =>
  `sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

type Bytes = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (data: Bytes): Uint8Array | string => {
  if (typeof data === 'string') return data;
  if (!ArrayBuffer.isView(data)) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
};

/** SHA-256, keyed or not, in the shape that the signer calls with `new`. */
class Sha256 {
  #hash;

  constructor(secret?: Bytes) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Bytes): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}
