import type { HostPort } from '#cluster/constraints.ts';
import type { FitFilter } from './filter.ts';

const everyAddress = '0.0.0.0';

/** Whether two host ports exclude each other: same protocol and port, and one address covers the other. */
export const portsCollide = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port &&
  a.protocol === b.protocol &&
  (a.hostIp === b.hostIp || a.hostIp === everyAddress || b.hostIp === everyAddress);

const isTaken = (port: HostPort, taken: readonly HostPort[]): boolean =>
  taken.some((other) => portsCollide(port, other));

/** NodePorts: no host port of the pod collides with one in use on the node. */
export const hostPortsFilter: FitFilter = {
  passes: (pod, node) => !pod.hostPorts.some((port) => isTaken(port, node.hostPorts)),
  explain: (pod, node) =>
    pod.hostPorts
      .filter((port) => isTaken(port, node.hostPorts))
      .map((port) => ({
        code: 'hostPort',
        message: `host port ${port.port}/${port.protocol} on ${port.hostIp} is taken`,
      })),
};
