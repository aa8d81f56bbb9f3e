import { X509Certificate } from 'node:crypto';
import { PortError } from '#ports/port-error.ts';
import { isLinkLocal } from './link-local.ts';

/** How to reach an API server, and as whom. */
export interface ApiAccess {
  /** `https://host[:port][/path]`, without a slash at the end. */
  readonly server: string;
  /** Certificates that may have signed the server's, as PEM. */
  readonly ca: string;
  readonly token: string;
}

const fields: readonly string[] = ['server', 'ca', 'token'];

/**
 * Checks what a secret or a kubeconfig says of an API server. `from` names it in errors; no value that may be
 * secret is repeated in them. Refused (`invalid`): anything but `server`, `ca` and `token` (above all
 * `insecure-skip-tls-verify`, `exec` and file paths), plain HTTP, and link-local servers: the credentials
 * that instances and functions get from there must not be reachable through us.
 */
export function checkApiAccess(from: string, value: unknown): ApiAccess {
  const refuse = (field: string, why: string): PortError =>
    new PortError('invalid', `${from}: ${field} ${why}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('content', 'must be a JSON object { "server", "ca", "token" }.');
  }
  const extra = Object.keys(value).find((key) => !fields.includes(key));
  if (extra !== undefined) {
    throw refuse(`"${extra}"`, 'is not allowed; give "server", "ca" and "token" only.');
  }
  const given = (field: 'server' | 'ca' | 'token'): string => {
    const content: unknown = (value as Record<string, unknown>)[field];
    if (typeof content !== 'string' || content.trim() === '') {
      throw refuse(`"${field}"`, 'is missing: it must be a string that is not empty.');
    }
    return content.trim();
  };
  return {
    server: checkServer(given('server'), refuse),
    ca: checkCa(given('ca'), refuse),
    token: checkToken(given('token'), refuse),
  };
}

type Refuse = (field: string, why: string) => PortError;

function checkServer(server: string, refuse: Refuse): string {
  if (!URL.canParse(server)) throw refuse('"server"', `is not a URL: ${server}`);
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

function checkCa(given: string, refuse: Refuse): string {
  const begin = '-----BEGIN CERTIFICATE-----';
  const pem = given.includes(begin) ? given : Buffer.from(given, 'base64').toString();
  if (!pem.includes(begin)) {
    throw refuse('"ca"', 'must hold a certificate as PEM, or the same in base64.');
  }
  try {
    new X509Certificate(pem);
  } catch (cause) {
    throw refuse('"ca"', `holds a certificate that cannot be read (${(cause as Error).message}).`);
  }
  return pem;
}

function checkToken(token: string, refuse: Refuse): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw refuse('"token"', 'must be one word of printable ASCII characters.');
  }
  return token;
}
