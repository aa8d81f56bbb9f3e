import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

/** A scheduler extender that hears which nodes passed every filter, and refuses them all: nothing is bound. */
export interface RefusingExtender {
  readonly url: string;
  /** The nodes that passed for the pod of this uid when it was tried last; absent: it was not asked. */
  passed(uid: string): readonly string[] | undefined;
  forget(): void;
  stop(): Promise<void>;
}

/** What FailedScheduling counts for nodes that passed all filters. */
export const refusal = 'passed all filters and was refused';

interface Question {
  readonly Pod: { readonly metadata: { readonly uid: string } };
  readonly NodeNames: readonly string[] | null;
}

/** Listens on a free port of the loopback interface. */
export const startRefusingExtender = async (): Promise<RefusingExtender> => {
  const passed = new Map<string, readonly string[]>();
  const server = createServer(async (request, response) => {
    try {
      const { Pod, NodeNames } = JSON.parse(await bodyOf(request)) as Question;
      const names = NodeNames ?? [];
      passed.set(Pod.metadata.uid, names);
      const FailedNodes = Object.fromEntries(names.map((name) => [name, refusal]));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ NodeNames: [], FailedNodes }));
    } catch (error) {
      response.statusCode = 400;
      response.end(String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed: (uid) => passed.get(uid),
    forget: () => passed.clear(),
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};
