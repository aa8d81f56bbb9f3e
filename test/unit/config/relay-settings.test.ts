import { describe, expect, it } from 'vitest';
import { readRelaySettings } from '#config/relay-settings.ts';

const named = ['--cluster', 'prod', '--network', 'main', '--bus', 'outrider'];
const files: Readonly<Record<string, string>> = {
  '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt': 'cluster ca',
  '/etc/ca.crt': 'file ca',
  '/home/me/kubeconfig': `
current-context: one
contexts: [{ name: one, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: 'https://api', certificate-authority: pki/ca.crt } }]
users: [{ name: u, user: { tokenFile: token } }]
`,
  '/home/me/pki/ca.crt': 'kubeconfig ca',
};
const readFile = (path: string): string => {
  const content = files[path];
  if (content === undefined) throw new Error(`ENOENT: ${path}`);
  return content;
};
const read = (argv: readonly string[], variables = {}) =>
  readRelaySettings(argv, variables, readFile);

describe('relay settings', () => {
  it('are those of a pod of the cluster where nothing else is said', () => {
    const variables = {
      KUBERNETES_SERVICE_HOST: 'fd00::1',
      KUBERNETES_SERVICE_PORT: '6443',
      OUTRIDER_CLUSTER: 'prod',
      OUTRIDER_NETWORK: 'main',
      OUTRIDER_BUS: 'outrider',
    };
    expect(read([], variables)).toEqual({
      cluster: 'prod',
      network: 'main',
      bus: 'outrider',
      server: 'https://[fd00::1]:6443',
      ca: 'cluster ca',
      token: { file: '/var/run/secrets/kubernetes.io/serviceaccount/token' },
    });
  });

  it('are those of the flags', () => {
    const flags = [
      ...named,
      '--server',
      'https://api',
      '--ca-file',
      '/etc/ca.crt',
      '--token-file',
      '/etc/token',
    ];
    expect(read(flags)).toMatchObject({
      server: 'https://api',
      ca: 'file ca',
      token: { file: '/etc/token' },
    });
  });

  it('are those of a kubeconfig, whose paths start from where it is', () => {
    expect(read([...named, '--kubeconfig', '/home/me/kubeconfig'])).toMatchObject({
      server: 'https://api',
      ca: 'kubeconfig ca',
      token: { file: '/home/me/token' },
    });
  });

  it('say where probes are answered, where they are wanted', () => {
    const withHealth = [...named, '--kubeconfig', '/home/me/kubeconfig', '--health', '[::]:8080'];
    expect(read(withHealth)?.health).toEqual({ host: '::', port: 8080 });
    const variables = { KUBERNETES_SERVICE_HOST: '10.0.0.1', OUTRIDER_HEALTH: '8080' };
    expect(read(named, variables)?.health).toEqual({ port: 8080 });
    expect(read(named, { KUBERNETES_SERVICE_HOST: '10.0.0.1' })).not.toHaveProperty('health');
  });

  it.each([
    [[...named, '--health', ':8080'], /--health is :8080: give \[HOST:\]PORT/],
    [[...named, '--health', '::1:8080'], /--health is ::1:8080/],
    [[...named, '--health', '127.0.0.1:70000'], /--health is 127.0.0.1:70000/],
    [[], /--cluster is missing.*OUTRIDER_CLUSTER/],
    [named, /Outside a cluster, give --kubeconfig/],
    [[...named, '--kubeconfig', '/nowhere'], /--kubeconfig \/nowhere cannot be read/],
    [[...named, '--kubeconfig', '/home/me/kubeconfig', '--server', 'https://x'], /not both/],
    [
      [...named, '--server', 'https://x', '--ca-file', '/nowhere'],
      /--ca-file \/nowhere cannot be read/,
    ],
    [[...named, '--surprise'], /surprise/],
  ])('refuse %j', (argv, why) => {
    expect(() => read(argv)).toThrow(why);
  });

  it('are none where help is wanted', () => {
    expect(read(['--help'])).toBeUndefined();
  });
});
