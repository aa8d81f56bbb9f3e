/** What every client of the AWS SDK has: a stack of middleware around each command. */
export interface CountedClient {
  readonly middlewareStack: {
    // biome-ignore lint/suspicious/noExplicitAny: each client has middleware of its own types
    add(middleware: any, options: any): void;
  };
}

export interface CallCounter {
  /** Counts the calls of a client from now on; gives it back. */
  watch<Client extends CountedClient>(client: Client): Client;
  /** Calls since the last time it was asked, by `AutoScaling.DescribeAutoScalingGroups`. */
  take(): ReadonlyMap<string, number>;
}

interface CommandContext {
  readonly clientName?: string;
  readonly commandName?: string;
}

const apiOf = ({ clientName = '', commandName = '' }: CommandContext): string =>
  `${clientName.replace(/Client$/, '')}.${commandName.replace(/Command$/, '')}`;

/** Counts what is sent to AWS, each attempt by itself, since each counts against the account's quota. */
export const callCounter = (): CallCounter => {
  let counts = new Map<string, number>();
  return {
    watch(client) {
      client.middlewareStack.add(
        (next: (args: unknown) => unknown, context: CommandContext) => (args: unknown) => {
          const api = apiOf(context);
          counts.set(api, (counts.get(api) ?? 0) + 1);
          return next(args);
        },
        // Within the retries.
        { step: 'finalizeRequest', priority: 'low', name: 'countCalls' },
      );
      return client;
    },
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
  };
};
