import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip, type InputType, type ZlibOptions } from 'node:zlib';
import { PortError } from '#ports/port-error.ts';
import type { ApiAccess } from './api-access.ts';
import { connectionError, statusError, tooLargeError } from './api-error.ts';
import { guardedLookup } from './guarded-lookup.ts';

const unpack: (packed: InputType, options: ZlibOptions) => Promise<Buffer> = promisify(gunzip);

export interface ExchangeLimits {
  /** Until the TLS session stands. Default 3,000. */
  readonly connectMs: number;
  /** Of one answer, unpacked. Default 64 MiB: a page of 1,000 fat pods is some 20 MiB. */
  readonly maxBytes: number;
  /** Of the silence before and within `lines`. Default 90,000: servers send a bookmark each minute. */
  readonly silenceMs: number;
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  /** Absent where the client's certificate says who asks. */
  readonly token?: string | undefined;
  readonly body?: string;
}

/** One request, one answer. */
export interface Exchange {
  send(request: ExchangeRequest, signal: AbortSignal): Promise<string>;
  lines(request: ExchangeRequest, signal: AbortSignal): AsyncGenerator<string, void, undefined>;
  close(): void;
}

/** What ends a request before its answer does. */
interface Until {
  readonly signal: AbortSignal;
  readonly silenceMs?: number;
}

/** Where no client certificate says who asks. */
const noPair = { clientCertificate: undefined, clientKey: undefined };

/** Requests to one server over kept connections. Throws PortErrors. */
export function createExchange(access: ApiAccess, options: Partial<ExchangeLimits>): Exchange {
  const limits = {
    connectMs: options.connectMs ?? 3_000,
    maxBytes: options.maxBytes ?? 64 * 1024 * 1024,
    silenceMs: options.silenceMs ?? 90_000,
  };
  // Four lists are read side by side; connections beyond are those of a burst of Events.
  const agent = new Agent({ keepAlive: true, maxSockets: 16, maxFreeSockets: 4 });
  const { clientCertificate: cert, clientKey: key } = { ...noPair, ...access };

  const open = (request: ExchangeRequest, until: Until): Promise<IncomingMessage> =>
    new Promise((done, fail) => {
      const outgoing = httpsRequest(access.server + request.path, {
        method: request.method,
        agent,
        ca: access.ca,
        cert,
        key,
        // Said outright, so that no environment variable can switch it off.
        rejectUnauthorized: true,
        lookup: guardedLookup,
        signal: until.signal,
        headers: {
          ...(request.token !== undefined && { authorization: `Bearer ${request.token}` }),
          accept: 'application/json',
          'accept-encoding': 'gzip',
          'user-agent': 'outrider',
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
        },
      });
      limitConnect(nameOf(request), outgoing, limits.connectMs);
      if (until.silenceMs !== undefined) {
        limitSilence(nameOf(request), outgoing, until.silenceMs);
      }
      outgoing.on('response', done);
      outgoing.on('error', fail);
      outgoing.end(request.body);
    });

  return {
    async send(request, signal) {
      const call = nameOf(request);
      try {
        const answer = await open(request, { signal });
        const body = await readAll(call, answer, limits.maxBytes);
        throwUnlessGood(call, answer, withoutToken(body, request));
        return body;
      } catch (error) {
        throw connectionError(call, error);
      }
    },

    async *lines(request, signal) {
      const call = nameOf(request);
      try {
        const answer = await open(request, { signal, silenceMs: limits.silenceMs });
        if (answer.statusCode !== 200) {
          const body = await readAll(call, answer, limits.maxBytes);
          throwUnlessGood(call, answer, withoutToken(body, request));
        }
        yield* splitLines(call, unpacked(answer), limits.maxBytes);
      } catch (error) {
        if (!signal.aborted) throw connectionError(call, error);
      }
    },

    close: () => agent.destroy(),
  };
}

const nameOf = (request: ExchangeRequest): string =>
  `${request.method} ${request.path.replace(/\?.*$/, '')}`;

function limitConnect(call: string, outgoing: ClientRequest, connectMs: number): void {
  const timer = setTimeout(() => {
    const said = `${call}: no connection within ${connectMs} ms`;
    outgoing.destroy(new PortError('timeout', said));
  }, connectMs);
  const stop = () => clearTimeout(timer);
  outgoing.on('socket', (socket) => {
    if (outgoing.reusedSocket) stop();
    else socket.once('secureConnect', stop);
  });
  outgoing.on('close', stop);
}

/** From the request on: a server may take a watch and never send so much as a header. */
function limitSilence(call: string, outgoing: ClientRequest, silenceMs: number): void {
  let speaking: ClientRequest | IncomingMessage = outgoing;
  outgoing.on('response', (answer) => {
    speaking = answer;
  });
  outgoing.setTimeout(silenceMs, () =>
    speaking.destroy(new PortError('timeout', `${call}: silent for ${silenceMs} ms`)),
  );
}

/** What a server says goes into errors and logs, and some repeat what they were sent. */
const withoutToken = (body: string, { token }: ExchangeRequest): string =>
  token === undefined || token === '' ? body : body.replaceAll(token, '<token>');

function throwUnlessGood(call: string, answer: IncomingMessage, body: string): void {
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return;
  throw statusError(call, { status, retryAfter: answer.headers['retry-after'] }, body);
}

function unpacked(answer: IncomingMessage): Readable {
  if (answer.headers['content-encoding'] !== 'gzip') return answer;
  const gunzip = createGunzip();
  answer.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => answer.destroy());
  return answer.pipe(gunzip);
}

/** Unpacked in one piece: as a stream it goes to another thread and back for every 16 KiB. */
async function readAll(call: string, answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.length;
    if (size > maxBytes) {
      answer.destroy();
      throw tooLargeError(call, maxBytes);
    }
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (answer.headers['content-encoding'] !== 'gzip') return body.toString();
  try {
    return (await unpack(body, { maxOutputLength: maxBytes, chunkSize: 1024 * 1024 })).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE' ? tooLargeError(call, maxBytes) : error;
  }
}

async function* splitLines(
  call: string,
  stream: Readable,
  maxBytes: number,
): AsyncGenerator<string, void, undefined> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > maxBytes) {
      throw new PortError('invalid', `${call}: a line is longer than ${maxBytes} bytes`);
    }
    for (const part of parts) if (part.trim() !== '') yield part;
  }
}
