import { beforeAll, describe, expect, it } from 'vitest';
import { checkApiAccess } from '#adapters/kubernetes/api-access.ts';
import { newAuthority } from '../../../helpers/fake-api-server.ts';

let ca: string;
beforeAll(async () => {
  ca = (await newAuthority()).ca;
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
