import { describe, expect, it } from 'vitest';
import { readKubeconfig } from '#config/kubeconfig.ts';

const configOf = (cluster: object, user: object, changes: object = {}): string =>
  JSON.stringify({
    'current-context': 'two',
    contexts: [
      { name: 'one', context: { cluster: 'x', user: 'x' } },
      { name: 'two', context: { cluster: 'c', user: 'u' } },
    ],
    clusters: [
      {
        name: 'c',
        cluster: { server: 'https://api', 'certificate-authority-data': 'Q0E=', ...cluster },
      },
    ],
    users: [{ name: 'u', user }],
    ...changes,
  });

describe('kubeconfig', () => {
  it('gives server, CA and token of the current context', () => {
    expect(readKubeconfig('k', configOf({}, { token: 't' }))).toEqual({
      server: 'https://api',
      ca: 'Q0E=',
      token: 't',
    });
  });

  it('goes by the token file where there is a token too', () => {
    expect(readKubeconfig('k', configOf({}, { token: 't', tokenFile: 'f' }))).toEqual({
      server: 'https://api',
      ca: 'Q0E=',
      tokenFile: 'f',
    });
  });

  it.each([
    [
      configOf({ 'insecure-skip-tls-verify': true }, { token: 't' }),
      /insecure-skip-tls-verify is not allowed/,
    ],
    [configOf({}, { exec: {}, token: 't' }), /exec is not supported/],
    [configOf({}, { 'client-certificate-data': 'x' }), /client-certificate-data is not supported/],
    [configOf({}, {}), /token is missing/],
    [
      configOf({ 'certificate-authority-data': undefined }, { token: 't' }),
      /certificate-authority-data is missing/,
    ],
    [configOf({ server: 5 }, { token: 't' }), /server is missing/],
    [configOf({}, {}, { 'current-context': undefined }), /current-context is not set/],
    [configOf({}, {}, { 'current-context': 'three' }), /contexts has no entry "three"/],
    [configOf({}, {}, { users: null }), /users has no entry "u"/],
    ['a: [', /not YAML/],
    ['5', /current-context/],
  ])('refuses %s', (text, why) => {
    expect(() => readKubeconfig('my-config', text)).toThrow(why);
    expect(() => readKubeconfig('my-config', text)).toThrow(/^my-config: [^\n]*$/);
  });
});
