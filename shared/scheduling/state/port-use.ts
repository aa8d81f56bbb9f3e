import type { HostPort } from '#cluster/constraints.ts';
import type { StatePod } from './scheduling-state.ts';

/** The host ports in use on each node. */
export interface PortUse {
  on(node: number): readonly HostPort[];
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
}

const none: readonly HostPort[] = [];

const same = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && a.hostIp === b.hostIp;

export function portUse(): PortUse {
  const used = new Map<number, HostPort[]>();
  return {
    on: (node) => used.get(node) ?? none,
    place: ({ hostPorts }, node) => {
      if (hostPorts.length === 0) return;
      const ports = used.get(node);
      if (ports === undefined) used.set(node, [...hostPorts]);
      else ports.push(...hostPorts);
    },
    remove: ({ hostPorts }, node) => {
      const ports = used.get(node);
      if (ports === undefined) return;
      for (const port of hostPorts) {
        const index = ports.findLastIndex((other) => same(other, port));
        if (index >= 0) ports.splice(index, 1);
      }
    },
  };
}
