import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkApiAccess } from '#adapters/kubernetes/api-access.ts';
import { newAuthority } from '../../../helpers/fake-api-server.ts';
import type { Certificates } from '../../../testbed/certificates.ts';

let made: Certificates;
let ca: string;
beforeAll(async () => {
  made = await newAuthority();
  ca = made.ca;
});

const check = (changes: object) =>
  checkApiAccess('Secret prod', {
    server: 'https://10.0.0.1:6443',
    ca,
    token: 'abc.def',
    ...changes,
  });

describe('API access', () => {
  it('takes server, CA and token, and trims what files leave behind', () => {
    expect(check({ server: ' https://api.example.com/k8s/c-1/ ', token: 'abc\n' })).toEqual({
      server: 'https://api.example.com/k8s/c-1',
      ca: ca.trim(),
      token: 'abc',
    });
  });

  it('takes the CA in base64, as a kubeconfig holds it', () => {
    expect(check({ ca: Buffer.from(ca).toString('base64') }).ca).toBe(ca);
  });

  it.each([
    'https://127.0.0.1:6443',
    'https://[::1]:6443',
    'https://10.1.2.3',
    'https://169.253.255.255',
    'https://169.255.0.0',
    'https://[fd00:ec1::254]',
    'https://[2001:db8::1]:6443',
  ])('takes %s', (server) => {
    expect(check({ server }).server).toBe(server);
  });

  it.each([
    'https://169.254.169.254',
    'https://169.254.0.1:6443',
    'https://169.254.169.254./',
    // Decimal, hexadecimal, octal and short spellings of the same address.
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0xA9.0xFE.0xA9.0xFE/',
    'https://0251.0376.0251.0376/',
    'https://169.16689662/',
    'https://169.254.43518/',
    'https://①⑥⑨.254.169.254/',
    'https://%31%36%39.254.169.254/',
    'https://[fe80::1]/',
    'https://[febf::1]/',
    'https://[fd00:ec2::254]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'https://[::169.254.169.254]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://0.0.0.0/',
    'https://0/',
  ])('refuses the link-local or metadata address %s', (server) => {
    expect(() => check({ server })).toThrow(/^Secret prod: "server" is a link-local/);
  });

  it.each([
    ['http://10.0.0.1', 'https://'],
    ['ftp://10.0.0.1', 'https://'],
    ['10.0.0.1:6443', 'URL|https'],
    ['https://user:word@10.0.0.1', 'user or password'],
    ['https://10.0.0.1/?a=b', 'host, port and path'],
    ['https://10.0.0.1/#a', 'host, port and path'],
    ['', 'missing'],
  ])('refuses the server "%s"', (server, why) => {
    expect(() => check({ server })).toThrow(new RegExp(`^Secret prod: "server".*(${why})`));
  });

  it.each(['insecure-skip-tls-verify', 'exec', 'tokenFile', 'certificate-authority', 'proxy-url'])(
    'refuses %s, whatever its value',
    (field) => {
      expect(() => check({ [field]: false })).toThrow(`Secret prod: "${field}" is not allowed`);
    },
  );

  it.each([undefined, '', 5, null])('refuses a CA that is %j', (bad) => {
    expect(() => check({ ca: bad })).toThrow(/^Secret prod: "ca" is missing/);
  });

  it('refuses a CA that holds no certificate, or one that cannot be read', () => {
    expect(() => check({ ca: 'aGVsbG8=' })).toThrow(/"ca" must hold a certificate/);
    const broken = ca.replace(/\n[A-Za-z0-9+/]/, '\n#');
    expect(() => check({ ca: broken })).toThrow(/"ca" holds a certificate that cannot be read/);
  });

  it.each(['', 'two words', 'a\r\nx: y', 'ü'])(
    'refuses the token %j without repeating it',
    (token) => {
      expect(() => check({ token })).toThrow(/^Secret prod: "token"/);
      if (token === '') return;
      expect(() => check({ token })).not.toThrow(new RegExp(token));
    },
  );

  it.each([null, [], 'https://10.0.0.1', 5])('refuses %j for content', (content) => {
    expect(() => checkApiAccess('Secret prod', content)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: expect.stringMatching(/^Secret prod: content/),
      }),
    );
  });
});

describe('API access by client certificate', () => {
  const pair = () => ({
    clientCertificate: readFileSync(made.certificateFile, 'utf8'),
    clientKey: readFileSync(made.keyFile, 'utf8'),
  });
  const checkPair = (changes: object) =>
    checkApiAccess('Secret prod', { server: 'https://10.0.0.1', ca, ...pair(), ...changes });
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it('takes certificate and key as PEM or in base64', () => {
    const { clientCertificate, clientKey } = pair();
    expect(checkPair({})).toEqual({
      server: 'https://10.0.0.1',
      ca: ca.trim(),
      clientCertificate: clientCertificate.trim(),
      clientKey: clientKey.trim(),
    });
    const packed = {
      clientCertificate: base64(clientCertificate),
      clientKey: base64(clientKey),
    };
    expect(checkPair(packed)).toMatchObject({ clientCertificate, clientKey });
  });

  const keyOf = (format: object): string => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    return privateKey.export({ type: 'pkcs8', format: 'pem', ...format }) as string;
  };

  it.each([
    ['missing', undefined, 'is missing'],
    [
      'a path',
      '/etc/kubernetes/pki/users/outrider/some-admin-of-mine.key',
      'must hold a private key as PEM',
    ],
    [
      'locked by a password',
      keyOf({ cipher: 'aes-256-cbc', passphrase: 'x' }),
      'without a password',
    ],
    ['of another certificate', keyOf({}), 'is not the key of "clientCertificate"'],
  ])('refuses a key that is %s, without repeating it', (_how, clientKey, why) => {
    expect(() => checkPair({ clientKey })).toThrow(/^Secret prod: "clientKey"/);
    expect(() => checkPair({ clientKey })).toThrow(why);
    if (clientKey !== undefined) {
      expect(() => checkPair({ clientKey })).not.toThrow(clientKey.slice(-60, -30));
    }
  });

  it.each([undefined, '/etc/kubernetes/admin.crt', 'aGVsbG8='])(
    'refuses the certificate %j',
    (clientCertificate) => {
      expect(() => checkPair({ clientCertificate })).toThrow(/^Secret prod: "clientCertificate"/);
    },
  );

  it('refuses a token beside it', () => {
    expect(() => checkPair({ token: 'abc' })).toThrow(
      'Secret prod: "token" and "clientCertificate" exclude each other',
    );
  });
});

describe('API access by EKS token', () => {
  const checkEks = (changes: object) =>
    checkApiAccess('Secret prod', {
      server: 'https://10.0.0.1',
      ca,
      eksCluster: 'prod-1',
      ...changes,
    });

  it('takes the cluster alone, or with region and role', () => {
    expect(checkEks({})).toEqual({
      server: 'https://10.0.0.1',
      ca: ca.trim(),
      eksCluster: 'prod-1',
    });
    const more = { region: 'us-gov-west-1', roleArn: 'arn:aws-us-gov:iam::123456789012:role/a/b' };
    expect(checkEks(more)).toMatchObject(more);
  });

  it.each([
    [{ eksCluster: 'a b' }, '"eksCluster" must look like'],
    [{ eksCluster: '' }, '"eksCluster" is missing'],
    [{ region: 'attacker.example/x' }, '"region" must look like'],
    [{ region: null }, '"region" is missing'],
    [{ roleArn: 'role/x' }, '"roleArn" must look like'],
    [{ clientKey: 'x' }, 'exclude each other'],
    [{ eksCluster: undefined, region: 'eu-west-1' }, '"eksCluster" is missing'],
  ])('refuses %j', (changes, why) => {
    expect(() => checkEks(changes)).toThrow(why);
  });

  it('says what may be given where none of the three is', () => {
    expect(() => checkApiAccess('Secret prod', { server: 'https://10.0.0.1', ca })).toThrow(
      'Secret prod: "token" is missing: give "token", or "clientCertificate" and "clientKey", or "eksCluster".',
    );
  });
});
