import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eksTokens, type SigningCredentials } from '#adapters/aws/eks-token.ts';
import type { EksAccess } from '#adapters/kubernetes/api-access.ts';

const access: EksAccess = { server: 'https://10.0.0.1', ca: '', eksCluster: 'prod-1' };
const minute = 60_000;
const start = Date.UTC(2026, 0, 31, 12, 0, 0);

const credentialsOf = (more: Partial<SigningCredentials> = {}): SigningCredentials => ({
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'not/a+secret=',
  sessionToken: 'session/token+with=signs',
  ...more,
});

const makeTokens = (
  credentials: () => Promise<SigningCredentials> = async () => credentialsOf(),
) => {
  const world = { nowMs: start, asked: [] as (string | undefined)[] };
  const tokens = eksTokens({
    credentials: (roleArn) => {
      world.asked.push(roleArn);
      return credentials();
    },
    region: async () => 'eu-central-1',
    nowMs: () => world.nowMs,
  });
  return { world, tokens };
};

/**
 * What an authenticator and STS do with a token, from their published rules alone: the parameters that are
 * allowed, the cluster's header among the signed ones, 15 minutes from x-amz-date on, and the signature
 * (AWS Signature Version 4) over exactly the request that the authenticator sends.
 */
const verify = (token: string, cluster: string, secretAccessKey: string, nowMs: number) => {
  if (!token.startsWith('k8s-aws-v1.') || token.length > 4096) return 'no token';
  const packed = token.slice('k8s-aws-v1.'.length);
  if (!/^[A-Za-z0-9_-]+$/.test(packed)) return 'not base64url without padding';
  const url = new URL(Buffer.from(packed, 'base64url').toString());
  if (url.protocol !== 'https:' || url.pathname !== '/') return 'not https';
  if (!/^sts\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/.test(url.hostname)) return 'not an STS host';
  const query = [...url.searchParams];
  const names = query.map(([name]) => name.toLowerCase());
  const allowed = [
    ...['action', 'version', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-expires'],
    ...['x-amz-security-token', 'x-amz-signature', 'x-amz-signedheaders'],
  ];
  if (new Set(names).size !== names.length) return 'doubled parameter';
  if (!names.every((name) => allowed.includes(name))) return 'parameter not allowed';
  const get = (name: string) => url.searchParams.get(name) ?? '';
  if (get('Action') !== 'GetCallerIdentity') return 'another action';
  const signed = get('X-Amz-SignedHeaders').split(';');
  if (!signed.includes('x-k8s-aws-id') || !signed.includes('host')) return 'headers not signed';
  const expires = Number(get('X-Amz-Expires'));
  if (!(expires >= 0 && expires <= 60)) return 'expires';
  const date = get('X-Amz-Date');
  const atMs = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(nowMs >= atMs - 5 * minute && nowMs < atMs + 15 * minute)) return 'expired';
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const headers: Record<string, string> = { host: url.hostname, 'x-k8s-aws-id': cluster };
  const canonical = [
    'GET',
    '/',
    query
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${headers[name]}`),
    '',
    signed.join(';'),
    createHash('sha256').update('').digest('hex'),
  ].join('\n');
  const [accessKeyId, ...scope] = get('X-Amz-Credential').split('/');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), digest].join('\n');
  const key = scope.reduce<Buffer | string>(
    (last, part) => createHmac('sha256', last).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  if (signature !== get('X-Amz-Signature')) return 'signature';
  return { accessKeyId, scope, host: url.hostname, sessionToken: get('X-Amz-Security-Token') };
};

describe('an EKS token', () => {
  it('is what an authenticator and STS take, for its own cluster', async () => {
    const { tokens } = makeTokens();
    const token = await tokens.tokenFor(access);
    expect(verify(token, 'prod-1', 'not/a+secret=', start)).toEqual({
      accessKeyId: 'AKIDEXAMPLE',
      scope: ['20260131', 'eu-central-1', 'sts', 'aws4_request'],
      host: 'sts.eu-central-1.amazonaws.com',
      sessionToken: 'session/token+with=signs',
    });
    expect(verify(token, 'prod-2', 'not/a+secret=', start)).toBe('signature');
    expect(verify(token, 'prod-1', 'another', start)).toBe('signature');
    expect(verify(token, 'prod-1', 'not/a+secret=', start + 15 * minute)).toBe('expired');
  });

  it('is signed for the region and as the role that the secret names', async () => {
    const { world, tokens } = makeTokens(async () => credentialsOf({ sessionToken: undefined }));
    const roleArn = 'arn:aws:iam::123456789012:role/reader';
    const token = await tokens.tokenFor({ ...access, region: 'cn-north-1', roleArn });
    expect(verify(token, 'prod-1', 'not/a+secret=', start)).toMatchObject({
      host: 'sts.cn-north-1.amazonaws.com.cn',
      sessionToken: '',
    });
    expect(world.asked).toEqual([roleArn]);
  });

  it('is used for ten minutes, then made anew, long before it ends', async () => {
    const { world, tokens } = makeTokens();
    const first = await tokens.tokenFor(access);
    world.nowMs += 10 * minute - 1;
    expect(await tokens.tokenFor(access)).toBe(first);
    expect(verify(first, 'prod-1', 'not/a+secret=', world.nowMs)).toMatchObject({});
    world.nowMs += 1;
    const second = await tokens.tokenFor(access);
    expect(second).not.toBe(first);
    expect(verify(second, 'prod-1', 'not/a+secret=', world.nowMs + 10 * minute)).toMatchObject({});
  });

  it('does not outlive the credentials that signed it', async () => {
    const expiration = new Date(start + 4 * minute);
    const { world, tokens } = makeTokens(async () => credentialsOf({ expiration }));
    const first = await tokens.tokenFor(access);
    world.nowMs += 3 * minute - 1;
    expect(await tokens.tokenFor(access)).toBe(first);
    world.nowMs += 1;
    expect(await tokens.tokenFor(access)).not.toBe(first);
  });

  it('is made anew once it was refused, and one for each cluster, region and role', async () => {
    const { world, tokens } = makeTokens();
    const first = await tokens.tokenFor(access);
    world.nowMs += 1_000;
    expect(await tokens.tokenFor({ ...access, eksCluster: 'prod-2' })).not.toBe(first);
    expect(await tokens.tokenFor({ ...access, region: 'us-east-1' })).not.toBe(first);
    expect(await tokens.tokenFor(access)).toBe(first);
    tokens.forget(access);
    expect(await tokens.tokenFor(access)).not.toBe(first);
  });

  it('fails in words of ours where there are no credentials, and tries again', async () => {
    let fails = true;
    const { tokens } = makeTokens(async () => {
      if (fails) throw Object.assign(new Error('no role'), { name: 'AccessDenied' });
      return credentialsOf();
    });
    await expect(tokens.tokenFor(access)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'credentials of this process: AccessDenied: no role',
    });
    fails = false;
    await expect(tokens.tokenFor(access)).resolves.toMatch(/^k8s-aws-v1\./);
  });

  it('is not made where authenticators would find it too long', async () => {
    const { tokens } = makeTokens(async () => credentialsOf({ sessionToken: 'x'.repeat(3_000) }));
    await expect(tokens.tokenFor(access)).rejects.toMatchObject({ code: 'invalid' });
  });
});
