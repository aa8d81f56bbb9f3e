import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

/** Files of a throw-away certificate authority and the API server's certificate (ECDSA: quick to make). */
export interface Certificates {
  readonly caFile: string;
  readonly ca: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Signs service account tokens. */
  readonly serviceAccountKeyFile: string;
}

const serverNames =
  'DNS:localhost,DNS:kubernetes,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:10.96.0.1';

/** Makes them in `folder` with openssl. */
export const makeCertificates = async (folder: string): Promise<Certificates> => {
  const file = (name: string): string => join(folder, name);
  writeKey(file('ca.key'));
  writeKey(file('server.key'));
  writeKey(file('service-accounts.key'));
  writeFileSync(
    file('server.ext'),
    `subjectAltName=${serverNames}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n`,
  );
  const subject = ['-subj', '/CN=outrider-testbed'];
  await Promise.all([
    openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      file('ca.key'),
      '-days',
      '365',
      ...subject,
      '-out',
      file('ca.crt'),
    ),
    openssl(
      'req',
      '-new',
      '-key',
      file('server.key'),
      '-subj',
      '/CN=kube-apiserver',
      '-out',
      file('server.csr'),
    ),
  ]);
  await openssl(
    ...['x509', '-req', '-in', file('server.csr'), '-days', '365', '-extfile', file('server.ext')],
    ...[
      '-CA',
      file('ca.crt'),
      '-CAkey',
      file('ca.key'),
      '-set_serial',
      '2',
      '-out',
      file('server.crt'),
    ],
  );
  return {
    caFile: file('ca.crt'),
    ca: readFileSync(file('ca.crt'), 'utf8'),
    certificateFile: file('server.crt'),
    keyFile: file('server.key'),
    serviceAccountKeyFile: file('service-accounts.key'),
  };
};

/** A bearer token that nobody can guess. */
export const randomToken = (): string => randomBytes(24).toString('hex');

const openssl = (...args: readonly string[]): Promise<string> => run('openssl', args);

const writeKey = (path: string): void => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  // SEC1, the form that every Kubernetes component reads.
  writeFileSync(path, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
};
