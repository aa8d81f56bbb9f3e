import { mkdtempSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiAccess } from '#adapters/kubernetes/api-access.ts';
import { type Certificates, makeCertificates } from '../testbed/certificates.ts';
import './own-temporary-folder.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeApiServer {
  readonly access: ApiAccess;
  /** Method and path of every request, in order. */
  readonly requests: readonly string[];
  /** Answers the requests from now on, in turn; the last one answers all that follow. */
  answer(...answers: readonly Answer[]): void;
  /** How many connections were made. */
  connections(): number;
  /** How many of them are open. */
  openConnections(): number;
  stop(): Promise<void>;
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** A Status object as the API server refuses with. */
export const refusal = (
  code: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
) => json(code, { kind: 'Status', code, reason, message: `${reason} it is` }, headers);

/** An authority and a certificate that it signed. */
export const newAuthority = (): Promise<Certificates> =>
  makeCertificates(mkdtempSync(join(tmpdir(), 'outrider-fake-api-')));

let shared: Promise<Certificates> | undefined;

/**
 * A server that misbehaves as it is told; all of them have one authority, unless another is given. With
 * `clientCa` it asks clients for a certificate, as an API server does.
 */
export async function startFakeApiServer(
  authority?: Promise<Certificates>,
  options: { readonly clientCa?: string } = {},
): Promise<FakeApiServer> {
  shared ??= newAuthority();
  const made = await (authority ?? shared);
  const requests: string[] = [];
  let answers: Answer[] = [];
  let connections = 0;
  let open = 0;
  const server = createServer(
    {
      cert: readFileSync(made.certificateFile),
      key: readFileSync(made.keyFile),
      ...(options.clientCa !== undefined && {
        ca: options.clientCa,
        requestCert: true,
        rejectUnauthorized: false,
      }),
    },
    (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const [next] = answers;
      if (answers.length > 1) answers.shift();
      if (next === undefined) response.destroy();
      else next(request, response);
    },
  );
  server.on('secureConnection', (socket) => {
    connections += 1;
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    access: { server: `https://127.0.0.1:${port}`, ca: made.ca, token: 'secret' },
    requests,
    answer: (...next) => {
      answers = [...next];
      requests.length = 0;
    },
    connections: () => connections,
    openConnections: () => open,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
