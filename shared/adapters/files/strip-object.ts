/*
 * What a plan never needs and nobody should keep: environment values, arguments, last-applied
 * annotations; and what only costs memory in a big cluster: managed fields, image lists, mounts.
 */

import { isJsonObject } from '#cluster/json.ts';

/** What was just parsed is nobody else's yet. */
const isFields = (value: unknown): value is Record<string, unknown> => isJsonObject(value);

const containerFields = [
  'args',
  'command',
  'env',
  'envFrom',
  'lifecycle',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'volumeDevices',
  'volumeMounts',
];

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const stripContainers = (holder: unknown): void => {
  if (!isFields(holder)) return;
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    const containers = holder[list];
    if (!Array.isArray(containers)) continue;
    for (const container of containers) {
      if (!isFields(container)) continue;
      for (const field of containerFields) delete container[field];
    }
  }
};

const stripMetadata = (holder: unknown): void => {
  if (!isFields(holder) || !isFields(holder.metadata)) return;
  delete holder.metadata.managedFields;
  const { annotations } = holder.metadata;
  if (isFields(annotations)) delete annotations[lastApplied];
};

/** Takes it out of a Kubernetes object, in place; anything else stays as it is. */
export const stripObject = (value: unknown): void => {
  if (!isFields(value)) return;
  stripMetadata(value);
  const { spec, status } = value;
  stripContainers(spec);
  if (isFields(spec) && isFields(spec.template)) {
    stripMetadata(spec.template);
    stripContainers(spec.template.spec);
  }
  if (isFields(status)) delete status.images;
};
