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
