import { createPrivateKey, X509Certificate } from 'node:crypto';
import { roleArnForm } from '#config/arn.ts';
import { PortError } from '#ports/port-error.ts';
import { isLinkLocal } from './link-local.ts';

/** Where an API server is. */
interface ApiServer {
  /** `https://host[:port][/path]`, without a slash at the end. */
  readonly server: string;
  /** Certificates that may have signed the server's, as PEM. */
  readonly ca: string;
}

/** As the holder of a bearer token. */
export interface TokenAccess extends ApiServer {
  readonly token: string;
}

/** As the subject of a client certificate. */
export interface CertificateAccess extends ApiServer {
  /** PEM: the client's certificate first, then those between it and its authority. */
  readonly clientCertificate: string;
  /** PEM, not encrypted. */
  readonly clientKey: string;
}

/** As an AWS principal, by tokens that the function makes itself. */
export interface EksAccess extends ApiServer {
  /** The cluster's id as its authenticator knows it; EKS: its name. */
  readonly eksCluster: string;
  /** Of the STS endpoint that the token names. Absent: the function's own. */
  readonly region?: string;
  /** Assumed first. Absent: the function's own role. */
  readonly roleArn?: string;
}

/** How to reach an API server, and as whom. */
export type ApiAccess = TokenAccess | CertificateAccess | EksAccess;

interface AccessKind {
  /** The field that tells it from the others. */
  readonly mark: string;
  readonly fields: readonly string[];
}

const kinds: readonly AccessKind[] = [
  { mark: 'token', fields: ['token'] },
  { mark: 'clientCertificate', fields: ['clientCertificate', 'clientKey'] },
  { mark: 'eksCluster', fields: ['eksCluster', 'region', 'roleArn'] },
];
const serverFields: readonly string[] = ['server', 'ca'];
const ways = '"token", or "clientCertificate" and "clientKey", or "eksCluster"';

/**
 * Checks what a secret or a kubeconfig says of an API server. `from` names it in errors; no value that may be
 * secret is repeated in them. Besides `server` and `ca` it holds one of `token`, `clientCertificate` with
 * `clientKey`, and `eksCluster` with `region` and `roleArn` at will. Refused (`invalid`): any other field
 * (above all `insecure-skip-tls-verify`, `exec` and file paths), two of the three kinds at once, plain HTTP,
 * and link-local servers: the credentials that instances and functions get from there must not be
 * reachable through us.
 */
export function checkApiAccess(from: string, value: unknown): ApiAccess {
  const refuse: Refuse = (field, why) => new PortError('invalid', `${from}: ${field} ${why}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('content', `must be a JSON object: "server", "ca", and ${ways}.`);
  }
  const record = value as Record<string, unknown>;
  const kind = kindOf(record, refuse);
  const given = (field: string): string => {
    const content: unknown = record[field];
    if (typeof content !== 'string' || content.trim() === '') {
      throw refuse(`"${field}"`, 'is missing: it must be a string that is not empty.');
    }
    return content.trim();
  };
  const server = checkServer(given('server'), refuse);
  const place: ApiServer = { server, ca: checkCertificate('ca', given('ca'), refuse) };
  switch (kind.mark) {
    case 'token':
      return { ...place, token: checkToken(given('token'), refuse) };
    case 'clientCertificate':
      return { ...place, ...checkClientPair(given, refuse) };
    default:
      return { ...place, ...checkEks(given, record, refuse) };
  }
}

type Refuse = (field: string, why: string) => PortError;
type Given = (field: string) => string;

function kindOf(record: Readonly<Record<string, unknown>>, refuse: Refuse): AccessKind {
  const known = [...serverFields, ...kinds.flatMap(({ fields }) => fields)];
  const extra = Object.keys(record).find((field) => !known.includes(field));
  if (extra !== undefined) {
    throw refuse(`"${extra}"`, `is not allowed; give "server", "ca", and ${ways} only.`);
  }
  const [kind, ...more] = kinds.filter(({ fields }) => fields.some((field) => field in record));
  if (kind === undefined) throw refuse('"token"', `is missing: give ${ways}.`);
  if (more.length > 0) {
    const found = [kind, ...more].map(({ mark }) => `"${mark}"`).join(' and ');
    throw refuse(found, `exclude each other: give ${ways}.`);
  }
  return kind;
}

function checkServer(server: string, refuse: Refuse): string {
  if (!URL.canParse(server)) {
    // Not repeated: somebody may have put the token there.
    throw refuse('"server"', 'is not a URL; write https://host:port.');
  }
  const url = new URL(server);
  if (url.protocol !== 'https:') throw refuse('"server"', 'must start with https://');
  if (url.username !== '' || url.password !== '') {
    throw refuse('"server"', 'must not hold a user or password.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw refuse('"server"', 'must be host, port and path only.');
  }
  // The URL parser has already turned decimal, octal and hexadecimal spellings into dotted ones.
  if (isLinkLocal(url.hostname)) {
    throw refuse('"server"', `is a link-local or metadata address: ${url.hostname}`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** PEM, or the same in base64 as kubeconfigs hold it. */
const unpackPem = (given: string): string =>
  given.includes('-----BEGIN ') ? given : Buffer.from(given, 'base64').toString();

function checkCertificate(field: string, given: string, refuse: Refuse): string {
  const pem = unpackPem(given);
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    throw refuse(`"${field}"`, 'must hold a certificate as PEM, or the same in base64.');
  }
  try {
    new X509Certificate(pem);
  } catch (cause) {
    const why = (cause as Error).message;
    throw refuse(`"${field}"`, `holds a certificate that cannot be read (${why}).`);
  }
  return pem;
}

function checkClientPair(given: Given, refuse: Refuse) {
  const clientCertificate = checkCertificate(
    'clientCertificate',
    given('clientCertificate'),
    refuse,
  );
  const clientKey = unpackPem(given('clientKey'));
  let fits: boolean;
  try {
    fits = new X509Certificate(clientCertificate).checkPrivateKey(createPrivateKey(clientKey));
  } catch {
    // The parser's own words are of no help, and the key must not come near a message.
    const why = 'must hold a private key as PEM without a password, or the same in base64.';
    throw refuse('"clientKey"', why);
  }
  if (!fits) throw refuse('"clientKey"', 'is not the key of "clientCertificate".');
  return { clientCertificate, clientKey };
}

function checkEks(given: Given, record: Readonly<Record<string, unknown>>, refuse: Refuse) {
  const checked = (field: string, pattern: RegExp, example: string): string => {
    const value = given(field);
    if (!pattern.test(value)) throw refuse(`"${field}"`, `must look like ${example}.`);
    return value;
  };
  const eksCluster = checked('eksCluster', /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, 'prod-1');
  return {
    eksCluster,
    ...('region' in record && {
      region: checked('region', /^[a-z]{2}(-[a-z]+)+-\d$/, 'eu-central-1'),
    }),
    ...('roleArn' in record && {
      roleArn: checked('roleArn', roleArnForm, 'arn:aws:iam::123456789012:role/name'),
    }),
  };
}

function checkToken(token: string, refuse: Refuse): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw refuse('"token"', 'must be one word of printable ASCII characters.');
  }
  return token;
}
