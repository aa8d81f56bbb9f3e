import { setOwn } from './own-record.ts';
import { addQuantities, largerQuantity, type Quantity, resourceAmount } from './quantity.ts';
import { isHugePages, type Resources } from './resources.ts';

/** Amounts by resource name, unrounded: sums are rounded once, at the end. */
export type Quantities = ReadonlyMap<string, Quantity>;

/** What one container asks for, and what its status says of it while the pod is resized in place. */
export interface ContainerRequests {
  readonly requests: Quantities;
  /** `allocatedResources` of its status; absent where the status has none. */
  readonly allocated?: Quantities;
  /** `resources.requests` of its status. */
  readonly running?: Quantities;
}

export interface InitContainerRequests extends ContainerRequests {
  /** restartPolicy Always: a sidecar, which runs beside the containers. */
  readonly restartable: boolean;
}

/** What a pod's request is made of. */
export interface PodRequestParts {
  readonly containers: readonly ContainerRequests[];
  /** In their order, which matters. */
  readonly initContainers: readonly InitContainerRequests[];
  /** `spec.resources`: for cpu, memory and hugepages it stands in place of the containers' sum. */
  readonly podLevel: { readonly requests: Quantities; readonly limits: Quantities };
  readonly overhead: Quantities;
  /** Of a pod that is on a node; absent: its status does not count. */
  readonly status?: PodRequestStatus;
}

/** What the status of a pod on a node says of its resources. */
export interface PodRequestStatus {
  /** The node will never have room for what the spec asks now: it counts for nothing. */
  readonly infeasible: boolean;
  /** `status.resources` is there. */
  readonly podLevel?: {
    readonly running?: Quantities;
    /** `status.allocatedResources`. */
    readonly allocated?: Quantities;
  };
}

const none: Quantities = new Map();

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

/** Containers and sidecars together, or any moment of the start where that needs more. */
export function containerSums(
  parts: PodRequestParts,
  requestsOf: (container: ContainerRequests) => Quantities,
): Map<string, Quantity> {
  const result = new Map<string, Quantity>();
  for (const container of parts.containers) {
    combineInto(result, requestsOf(container), addQuantities);
  }
  if (parts.initContainers.length === 0) return result;
  const sidecars = new Map<string, Quantity>();
  const start = new Map<string, Quantity>();
  for (const container of parts.initContainers) {
    const requests = requestsOf(container);
    if (container.restartable) {
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

/**
 * The largest of the pod's three sums while it is resized: what the spec asks (unless that is infeasible),
 * what was allocated, what runs. Containers without a status count with the spec; a status of the whole pod
 * stands in place of the containers' ones.
 */
function resizedSums(
  parts: PodRequestParts,
  { infeasible, podLevel }: PodRequestStatus,
): Map<string, Quantity> {
  const unknown = (container: ContainerRequests) => (infeasible ? none : container.requests);
  const sums = infeasible
    ? new Map<string, Quantity>()
    : containerSums(parts, ({ requests }) => requests);
  if (podLevel?.allocated !== undefined && podLevel.running !== undefined) {
    combineInto(sums, podLevel.allocated, largerQuantity);
    combineInto(sums, podLevel.running, largerQuantity);
    return sums;
  }
  const allocated = containerSums(parts, (one) => one.allocated ?? unknown(one));
  const running = containerSums(parts, (one) => one.running ?? one.allocated ?? unknown(one));
  combineInto(sums, allocated, largerQuantity);
  combineInto(sums, running, largerQuantity);
  return sums;
}

const isSame = (status: Quantities | undefined, spec: Quantities): boolean => {
  if (status === undefined || status === spec) return true;
  if (status.size !== spec.size) return false;
  for (const [name, { nano }] of status) if (spec.get(name)?.nano !== nano) return false;
  return true;
};

/** Whether the status says nothing that the spec does not: so it is of nearly all pods, at all times. */
const isSettled = (parts: PodRequestParts): boolean => {
  const settled = ({ requests, allocated, running }: ContainerRequests): boolean =>
    isSame(allocated, requests) && isSame(running, requests);
  return parts.containers.every(settled) && parts.initContainers.every(settled);
};

const mayBePodLevel = (resource: string): boolean =>
  resource === 'cpu' || resource === 'memory' || isHugePages(resource);

/**
 * Pod-level requests as the API server completes them: a limit counts where there is no request, but
 * for cpu and memory only where no container asks either (DefaultPodLevelResources in pkg/api/pod).
 */
export function podLevelRequests(
  { requests, limits }: PodRequestParts['podLevel'],
  sums: Quantities,
): Map<string, Quantity> {
  const result = new Map<string, Quantity>();
  for (const [name, amount] of limits) {
    if (mayBePodLevel(name) && (isHugePages(name) || !sums.has(name))) result.set(name, amount);
  }
  for (const [name, amount] of requests) if (mayBePodLevel(name)) result.set(name, amount);
  return result;
}

/** Pod-level requests, in a status too, stand in place of the sums. */
function applyPodLevel(sums: Map<string, Quantity>, parts: PodRequestParts): void {
  const { podLevel, status } = parts;
  if (podLevel.requests.size === 0 && podLevel.limits.size === 0) return;
  const asked = podLevelRequests(podLevel, sums);
  if (asked.size === 0) return;
  const effective =
    status?.podLevel !== undefined && status.infeasible ? new Map<string, Quantity>() : asked;
  combineInto(effective, status?.podLevel?.running ?? none, largerQuantity);
  combineInto(effective, status?.podLevel?.allocated ?? none, largerQuantity);
  for (const [name, amount] of effective) if (mayBePodLevel(name)) sums.set(name, amount);
}

/**
 * What a pod counts for on a node, in `Resources` units, without `pods`. The rule is PodRequests of
 * k8s.io/component-helpers/resource (helpers.go, 0.37) as kube-scheduler calls it: sums of containers and
 * sidecars, at least the largest moment of the start; of a pod on a node the largest of spec, allocation
 * and what runs; replaced per resource by pod-level requests; plus overhead. Devices that
 * resource claims map to node resources do not count: an alpha feature, off by default.
 */
export function effectiveRequests(parts: PodRequestParts): Resources {
  const { status } = parts;
  const asSpecified =
    status === undefined ||
    (!status.infeasible && status.podLevel === undefined && isSettled(parts));
  const total = asSpecified
    ? containerSums(parts, ({ requests }) => requests)
    : resizedSums(parts, status);
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
