import { portsCollide } from './host-ports.ts';
import type { FilterPlugin } from './plugin.ts';

const schedulerReason = "node(s) didn't have free ports for the requested pod ports";

/** NodePorts: no host port of the pod collides with one in use on the node. */
export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  ask: ({ hostPorts }, { ports }) => {
    if (hostPorts.length === 0) return undefined;
    return {
      passes: (node) => {
        const taken = ports.on(node);
        if (taken.length === 0) return true;
        return !hostPorts.some((port) => taken.some((other) => portsCollide(port, other)));
      },
      // A pod's own ports are taken for its like.
      inARow: (_node, wanted) => Math.min(wanted, 1),
      explain: (node) =>
        hostPorts
          .filter((port) => ports.on(node).some((other) => portsCollide(port, other)))
          .map((port) => ({
            code: 'hostPort',
            message: `host port ${port.port}/${port.protocol} on ${port.hostIp} is taken`,
            schedulerReason,
          })),
    };
  },
};
