import type { Through } from '../stage.ts';

type Send = (command: object, ...more: readonly unknown[]) => Promise<unknown>;

/** `SendMessageBatch` */
const nameOf = (command: object): string => command.constructor.name.replace(/Command$/, '');

/** The client's commands as methods of a port. */
const byCommand = (client: object): object =>
  new Proxy(client, {
    get:
      () =>
      (...args: Parameters<Send>) =>
        (Reflect.get(client, 'send') as Send).apply(client, args),
  });

/**
 * SDK clients of which each command is a port call of its own: `sqs.DeleteMessage`. So a port call that makes
 * several is cut off between any two of them, too.
 */
export const commandsThrough = <Clients extends Readonly<Record<string, object>>>(
  through: Through,
  clients: Clients,
): Clients => {
  const ports = through(
    Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, byCommand(client)])),
  );
  const seen = Object.entries(clients).map(([name, client]) => {
    const port = ports[name] as object;
    const send: Send = (command, ...more) =>
      (Reflect.get(port, nameOf(command)) as Send)(command, ...more);
    const proxy = new Proxy(client, {
      get: (target, key) => (key === 'send' ? send : Reflect.get(target, key)),
    });
    return [name, proxy];
  });
  return Object.fromEntries(seen) as Clients;
};
