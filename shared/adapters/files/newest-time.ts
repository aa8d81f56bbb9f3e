import { isJsonObject, type JsonObject } from '#cluster/json.ts';

/** Times that lie in the past when an object is read; a deletionTimestamp lies ahead of it. */
const past = new Set([
  'acquireTime',
  'creationTimestamp',
  'finishedAt',
  'lastHeartbeatTime',
  'lastProbeTime',
  'lastTransitionTime',
  'renewTime',
  'startTime',
  'startedAt',
]);

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const none = Number.NEGATIVE_INFINITY;

/** A container's state is the deepest: status, containerStatuses, one of them, state, running. */
const deepest = 5;

const newestIn = (value: unknown, level: number): number => {
  if (level > deepest || typeof value !== 'object' || value === null) return none;
  let newest = none;
  for (const [key, field] of Object.entries(value)) {
    if (typeof field === 'object') newest = Math.max(newest, newestIn(field, level + 1));
    else if (typeof field === 'string' && past.has(key) && rfc3339.test(field)) {
      const time = Date.parse(field);
      if (!Number.isNaN(time)) newest = Math.max(newest, time);
    }
  }
  return newest;
};

/**
 * The newest moment that an object tells of, in milliseconds since the epoch: its creation, its
 * conditions, its containers' starts, a Lease's renewal. `-Infinity` where it tells of none.
 */
export const newestTime = (object: JsonObject): number => {
  const { metadata, status, spec, kind } = object;
  const created = isJsonObject(metadata) ? { creationTimestamp: metadata.creationTimestamp } : {};
  return Math.max(
    newestIn(created, 0),
    newestIn(status, 0),
    kind === 'Lease' ? newestIn(spec, 0) : none,
  );
};
