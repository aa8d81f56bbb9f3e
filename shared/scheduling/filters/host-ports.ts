import type { HostPort } from '#cluster/constraints.ts';

const everyAddress = '0.0.0.0';

/** Whether two host ports exclude each other: same protocol and port, and one address covers the other. */
export const portsCollide = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port &&
  a.protocol === b.protocol &&
  (a.hostIp === b.hostIp || a.hostIp === everyAddress || b.hostIp === everyAddress);
