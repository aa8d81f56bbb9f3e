import { setOwn } from './own-record.ts';
import { addQuantities, largerQuantity, type Quantity, resourceAmount } from './quantity.ts';
import { isHugePages, type Resources } from './resources.ts';

/** Amounts by resource name, unrounded: sums are rounded once, at the end. */
export type Quantities = ReadonlyMap<string, Quantity>;

export interface InitContainerRequests {
  readonly requests: Quantities;
  /** restartPolicy Always: a sidecar, which runs beside the containers. */
  readonly restartable: boolean;
}

/** What a pod's request is made of. */
export interface PodRequestParts {
  readonly containers: readonly Quantities[];
  /** In their order, which matters. */
  readonly initContainers: readonly InitContainerRequests[];
  /** `spec.resources`: for cpu, memory and hugepages it stands in place of the containers' sum. */
  readonly podLevel: { readonly requests: Quantities; readonly limits: Quantities };
  readonly overhead: Quantities;
}

function combineInto(
  target: Map<string, Quantity>,
  amounts: Quantities,
  join: (a: Quantity, b: Quantity) => Quantity,
): void {
  for (const [name, amount] of amounts) {
    const before = target.get(name);
    target.set(name, before === undefined ? amount : join(before, amount));
  }
}

/** Requests of one container: a limit counts where no request is given, as the API server fills it in. */
export function defaultedRequests(requests: Quantities, limits: Quantities): Quantities {
  if (limits.size === 0) return requests;
  const result = new Map(limits);
  for (const [name, amount] of requests) result.set(name, amount);
  return result;
}

/**
 * Requests of one container of a scheduled pod while it is resized in place: per resource the largest
 * of the spec, what the kubelet allocated and what runs; the spec does not count where the resize is
 * infeasible. This goes container by container; Kubernetes 1.37 compares the pod's three sums, which
 * is never more, so that no room is promised that is not there.
 */
export function resizedRequests(
  spec: Quantities,
  status: { readonly allocated: Quantities; readonly running: Quantities },
  infeasible: boolean,
): Quantities {
  const result = new Map(infeasible ? [] : spec);
  combineInto(result, status.allocated, largerQuantity);
  combineInto(result, status.running, largerQuantity);
  return result;
}

/** Containers and sidecars together, or any moment of the start where that needs more. */
function containerRequests(parts: PodRequestParts): Map<string, Quantity> {
  const result = new Map<string, Quantity>();
  for (const requests of parts.containers) combineInto(result, requests, addQuantities);
  if (parts.initContainers.length === 0) return result;
  const sidecars = new Map<string, Quantity>();
  const start = new Map<string, Quantity>();
  for (const { requests, restartable } of parts.initContainers) {
    if (restartable) {
      combineInto(result, requests, addQuantities);
      combineInto(sidecars, requests, addQuantities);
      combineInto(start, sidecars, largerQuantity);
    } else {
      const moment = new Map(sidecars);
      combineInto(moment, requests, addQuantities);
      combineInto(start, moment, largerQuantity);
    }
  }
  combineInto(result, start, largerQuantity);
  return result;
}

const mayBePodLevel = (resource: string): boolean =>
  resource === 'cpu' || resource === 'memory' || isHugePages(resource);

/**
 * Pod-level requests as the API server completes them: a limit counts where there is no request, but
 * for cpu and memory only where no container asks either (pkg/apis/core/v1 defaults).
 */
function applyPodLevel(result: Map<string, Quantity>, { podLevel }: PodRequestParts): void {
  for (const [name, amount] of podLevel.limits) {
    if (mayBePodLevel(name) && (isHugePages(name) || !result.has(name))) result.set(name, amount);
  }
  for (const [name, amount] of podLevel.requests) {
    if (mayBePodLevel(name)) result.set(name, amount);
  }
}

/**
 * What a pod counts for on a node, in `Resources` units, without `pods`. The rule is PodRequests of
 * k8s.io/component-helpers/resource (helpers.go): sums of containers and sidecars, at least the
 * largest moment of the start, replaced per resource by pod-level requests, plus overhead.
 */
export function effectiveRequests(parts: PodRequestParts): Resources {
  const total = containerRequests(parts);
  applyPodLevel(total, parts);
  combineInto(total, parts.overhead, addQuantities);
  return toResources(total, (name) => name !== 'pods');
}

/** Amounts rounded up into `Resources` units. */
export function toResources(
  amounts: Quantities,
  keep: (name: string) => boolean = () => true,
): Resources {
  const result: Record<string, number> = {};
  for (const [name, amount] of amounts) {
    if (keep(name)) setOwn(result, name, resourceAmount(name, amount));
  }
  return result;
}
