/** One call of a port, as whoever stands between an operation and its ports sees it. */
export interface PortCall {
  /** `nodeGroups.setDesiredCapacity` */
  readonly name: string;
  /** Counts the calls of this name, from 1. */
  readonly nth: number;
  readonly args: readonly unknown[];
}

/** Stands in for one call: answers as the port would, or not. `effect` makes the real call. */
export type Intercept = (call: PortCall, effect: () => Promise<unknown>) => Promise<unknown>;

/** Ports that touch nothing outside the process: no call of theirs can be cut off. */
const localPorts: ReadonlySet<string> = new Set(['clock', 'metrics']);

/**
 * The same ports, with every call that leaves the process handed to `intercept`. Calls are found by
 * themselves, so that a new port or method is covered as soon as an operation uses it.
 */
export const interceptPorts = <P extends object>(ports: P, intercept: Intercept): P => {
  const counts = new Map<string, number>();
  const wrapMethod =
    (name: string, target: object, method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): Promise<unknown> => {
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      return intercept({ name, nth, args }, async () => Reflect.apply(method, target, args));
    };
  const wrapPort = (portName: string, port: object): object =>
    new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        const method = value as (...args: unknown[]) => unknown;
        return wrapMethod(`${portName}.${String(key)}`, target, method);
      },
    });
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [
      name,
      localPorts.has(name) || typeof port !== 'object' ? port : wrapPort(name, port),
    ]),
  ) as P;
};
