/** What happens to one port call: `before` fails it before its effect, `after` once it has happened. */
export type Fate = 'pass' | 'before' | 'after';

export interface PortCall {
  /** Counts from 1 over all ports together. */
  readonly number: number;
  /** `nodeGroups.setDesiredCapacity` */
  readonly name: string;
}

/**
 * The same ports, with every asynchronous call counted and able to fail. Calls are found by
 * themselves, so that a new port or method is covered as soon as an operation uses it.
 */
export const faultyPorts = <P extends object>(
  ports: P,
  fate: (call: PortCall) => Fate,
  failure: (call: PortCall) => Error,
): P => {
  let number = 0;
  const wrapMethod =
    (name: string, target: object, method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      const result = (): unknown => Reflect.apply(method, target, args);
      if (name.startsWith('clock.') || name.startsWith('metrics.')) return result();
      number += 1;
      const call = { number, name };
      const what = fate(call);
      if (what === 'before') return Promise.reject(failure(call));
      const answer = result();
      return what === 'after'
        ? Promise.resolve(answer).then(() => Promise.reject(failure(call)))
        : answer;
    };
  const wrapPort = (portName: string, port: object): object =>
    new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function'
          ? wrapMethod(
              `${portName}.${String(key)}`,
              target,
              value as (...args: unknown[]) => unknown,
            )
          : value;
      },
    });
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, wrapPort(name, port as object)]),
  ) as P;
};
