import { hasField, type ObjectField, objectAt, objectsAt, quantitiesAt, textAt } from './fields.ts';
import {
  type ContainerRequests,
  defaultedRequests,
  type PodRequestParts,
  type PodRequestStatus,
  type Quantities,
} from './pod-requests.ts';

/** The containers of a pod spec. */
export interface PodContainers {
  readonly containers: readonly ObjectField[];
  /** In their order. */
  readonly initContainers: readonly ObjectField[];
}

export const readContainers = (spec: ObjectField): PodContainers => ({
  containers: objectsAt(spec, 'containers'),
  initContainers: objectsAt(spec, 'initContainers'),
});

/** restartPolicy Always makes an init container a sidecar. */
export const isRestartable = (container: ObjectField): boolean =>
  textAt(container, 'restartPolicy') === 'Always';

/** Amounts of a field; absent where there are none, as they reach the scheduler. */
function amountsAt(of: ObjectField, key: string): Quantities | undefined {
  if (!hasField(of, key)) return undefined;
  const amounts = quantitiesAt(of, key);
  return amounts.size === 0 ? undefined : amounts;
}

type Statuses = ReadonlyMap<string, ObjectField>;

function statusesOf(status: ObjectField): Statuses {
  const statuses = new Map<string, ObjectField>();
  for (const key of ['initContainerStatuses', 'containerStatuses']) {
    for (const one of objectsAt(status, key)) {
      if (one.fields.resources || one.fields.allocatedResources) {
        statuses.set(textAt(one, 'name') ?? '', one);
      }
    }
  }
  return statuses;
}

function readContainer(container: ObjectField, statuses: Statuses | undefined): ContainerRequests {
  const resources = objectAt(container, 'resources');
  const requests = defaultedRequests(
    quantitiesAt(resources, 'requests'),
    quantitiesAt(resources, 'limits'),
  );
  const status = statuses?.get(textAt(container, 'name') ?? '');
  if (status === undefined) return { requests };
  const allocated = amountsAt(status, 'allocatedResources');
  const running = amountsAt(objectAt(status, 'resources'), 'requests');
  return {
    requests,
    ...(allocated === undefined ? {} : { allocated }),
    ...(running === undefined ? {} : { running }),
  };
}

function readStatus(status: ObjectField): PodRequestStatus {
  const resize = objectsAt(status, 'conditions').find(
    (one) => textAt(one, 'type') === 'PodResizePending',
  );
  const infeasible = resize !== undefined && textAt(resize, 'reason') === 'Infeasible';
  if (!hasField(status, 'resources')) return { infeasible };
  const running = amountsAt(objectAt(status, 'resources'), 'requests');
  const allocated = amountsAt(status, 'allocatedResources');
  return {
    infeasible,
    podLevel: {
      ...(running === undefined ? {} : { running }),
      ...(allocated === undefined ? {} : { allocated }),
    },
  };
}

/** What a pod's request is made of. `status` is that of a pod on a node: only then does it count. */
export function readPodRequests(
  spec: ObjectField,
  { containers, initContainers }: PodContainers,
  status: ObjectField | undefined,
): PodRequestParts {
  const statuses = status && statusesOf(status);
  const podLevel = objectAt(spec, 'resources');
  return {
    containers: containers.map((container) => readContainer(container, statuses)),
    initContainers: initContainers.map((container) => ({
      ...readContainer(container, statuses),
      restartable: isRestartable(container),
    })),
    podLevel: {
      requests: quantitiesAt(podLevel, 'requests'),
      limits: quantitiesAt(podLevel, 'limits'),
    },
    overhead: quantitiesAt(spec, 'overhead'),
    ...(status === undefined ? {} : { status: readStatus(status) }),
  };
}
