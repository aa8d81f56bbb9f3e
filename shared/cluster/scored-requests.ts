import { getOwn } from './own-record.ts';
import {
  type ContainerRequests,
  containerSums,
  effectiveRequests,
  type PodRequestParts,
  podLevelRequests,
  type Quantities,
} from './pod-requests.ts';
import type { Quantity } from './quantity.ts';
import type { Resources } from './resources.ts';

const counted = ['cpu', 'memory'] as const;

/** What a container without a request counts with (pkg/scheduler/util/pod_resources.go, 1.37). */
export const scoredForNone = { cpu: 100, memory: 200 * 2 ** 20 } as const;

const quantityForNone: Readonly<Record<(typeof counted)[number], Quantity>> = {
  cpu: { nano: 100n * 10n ** 6n },
  memory: { nano: 200n * 2n ** 20n * 10n ** 9n },
};

const lacksNone = (amounts: Quantities | undefined): boolean =>
  amounts === undefined || counted.every((name) => amounts.has(name));

const asksForBoth = ({ requests, allocated, running }: ContainerRequests): boolean =>
  lacksNone(requests) && lacksNone(allocated) && lacksNone(running);

function filled(amounts: Quantities): Quantities {
  const result = new Map(amounts);
  for (const name of counted) if (!result.has(name)) result.set(name, quantityForNone[name]);
  return result;
}

const filledContainer = <One extends ContainerRequests>(container: One): One => ({
  ...container,
  requests: filled(container.requests),
  ...(container.allocated && { allocated: filled(container.allocated) }),
  ...(container.running && { running: filled(container.running) }),
});

/**
 * CPU and memory as kube-scheduler scores them where that is not what the pod asks for, nor the amount for
 * one container where it asks for none (`SchedulingConstraints.scoredRequests`); `undefined` where it is. Each
 * container that lacks one of both counts with an amount for it, sidecars and init containers too; pod-level
 * requests stand in place of the sum (CalculateResource in pkg/scheduler/framework/types.go, 1.37).
 */
export function scoredRequests(parts: PodRequestParts, requests: Resources): Resources | undefined {
  const { containers, initContainers, podLevel } = parts;
  if (containers.every(asksForBoth) && initContainers.every(asksForBoth)) return undefined;
  // Pod-level limits count by what containers ask for themselves.
  const sums = containerSums(parts, (container) => container.requests);
  const scored = effectiveRequests({
    ...parts,
    containers: containers.map(filledContainer),
    initContainers: initContainers.map(filledContainer),
    podLevel: { requests: podLevelRequests(podLevel, sums), limits: new Map() },
  });
  const differs = counted.some(
    (name) => getOwn(scored, name) !== (getOwn(requests, name) ?? scoredForNone[name]),
  );
  if (!differs) return undefined;
  return { cpu: getOwn(scored, 'cpu') ?? 0, memory: getOwn(scored, 'memory') ?? 0 };
}
