import { describe, expect, it } from 'vitest';
import { excerptOf } from '#operations/excerpt.ts';

const jwt = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';

describe('the excerpt of a dead letter', () => {
  it.each([
    ['a field of JSON', '{"a":1,"apiToken": "hunter2","b":2}'],
    ['a field of JSON within a text', '{"m":"{\\"password\\":\\"hunter2\\",\\"x\\":1}"}'],
    ['a field in a query', 'url?client_secret=hunter2&x=1'],
    ['a header', 'Authorization: hunter2'],
    ['a key of AWS by name', 'aws_secret_access_key=hunter2'],
    ['a field of YAML', 'private_key: hunter2'],
    ['a value cut off at the end', '{"session_token":"hunter2'],
    ['a key of a client', '{"clientKey":"hunter2"}'],
    ['a key of a kubeconfig', 'client-key-data: hunter2'],
    ['a short name', '{"dbPass":"hunter2"}'],
    ['a short name in a line', 'pwd=hunter2'],
    ['a name beside its value', '{"name":"DB_PASSWORD","value":"hunter2"}'],
    ['a name after its value', '{"Value":"hunter2","type":"x","Name":"db-password"}'],
    ['a name beside its value, in YAML', '- name: DB_PASSWORD\n  value: hunter2'],
    [
      'a name beside its value, in a text',
      '{"m":"[{\\"name\\":\\"API_TOKEN\\",\\"value\\":\\"hunter2\\"}]"}',
    ],
    ['a name beside a value with braces', '{"name":"DB_PASSWORD","value":"a{b}hunter2"}'],
    ['an object under a name', '{"credentials": {"user": "a", "x": "hunter2"}}'],
    ['a list under a name', '{"tokens": ["a", "hunter2"]}'],
    ['a value over lines', '{"password":"a\\\nhunter2"}'],
    ['a value with quotation marks inside', '{"password":"a\\"hunter2"}'],
    ['a value in single quotation marks', "password: 'a hunter2'"],
    ['a block of YAML', 'password: |\n  hunter2'],
    ['a header with a scheme', 'Authorization: Basic hunter2'],
    ['a password in an address', 'https://user:hunter2@host/path'],
    ['a password in an address, with signs', 'postgres://user:p@/hunter2@host/path'],
    ['a token in an address', '{"url":"https://hunter2@host"}'],
  ])('keeps no secret: %s', (_, body) => {
    const excerpt = excerptOf(body);
    expect(excerpt).not.toContain('hunter2');
    expect(excerpt).toContain('[redacted]');
  });

  it.each([
    ['a JSON web token', `x ${jwt} y`, jwt],
    ['an access key', 'x AKIAIOSFODNN7EXAMPLE y', 'AKIAIOSFODNN7EXAMPLE'],
    ['a bearer token', 'curl -H Bearer abcdefgh12345', 'abcdefgh12345'],
    ['a PEM block', '-----BEGIN PRIVATE KEY-----\nMIIEv\n-----END PRIVATE KEY----- z', 'MIIEv'],
    ['a PEM block cut off', '-----BEGIN PRIVATE KEY-----\nMIIEv', 'MIIEv'],
  ])('keeps nothing that looks like %s', (_, body, secret) => {
    expect(excerptOf(body)).not.toContain(secret);
  });

  it('redacts a secret that begins before its own end and ends after it', () => {
    const body = `${'x'.repeat(150)} ${jwt.repeat(5)}`;
    expect(excerptOf(body)).not.toContain(jwt.slice(0, 20));
  });

  it.each([
    'https://host:8443/path?x=1 and mail to a@b',
    '{"name":"web-1","value":"a"}',
    '{"image":"registry:5000/app:v1"}',
    'bypassed: 3 nodes',
  ])('leaves what is no secret: %s', (body) => {
    expect(excerptOf(body)).toBe(body);
  });

  it('leaves a hint as it is, in one line', () => {
    const hint = '{"detail":{"cluster":"demo",\n "network":"main","pods":[{"name":"web-1"}]}}';
    expect(excerptOf(hint)).toBe(
      '{"detail":{"cluster":"demo", "network":"main","pods":[{"name":"web-1"}]}}',
    );
  });

  it('is short', () => {
    expect([...excerptOf('ä'.repeat(10_000))]).toHaveLength(200);
  });
});
