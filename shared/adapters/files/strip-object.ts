/*
 * What a plan never needs and nobody should keep: environment values, arguments, last-applied
 * annotations, parameters of storage (some drivers take passwords there); and what only costs memory in a big
 * cluster: managed fields, image lists, mounts.
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

/** What a volume's driver is told: attributes, mount options, where its secrets are. */
const stripVolume = (spec: unknown): void => {
  if (!isFields(spec)) return;
  delete spec.mountOptions;
  const { csi, flexVolume } = spec;
  if (isFields(csi)) {
    for (const field of Object.keys(csi)) {
      if (field !== 'driver' && field !== 'volumeHandle') delete csi[field];
    }
  }
  if (isFields(flexVolume)) delete flexVolume.options;
};

/** Takes it out of a Kubernetes object, in place; anything else stays as it is. */
export const stripObject = (value: unknown): void => {
  if (!isFields(value)) return;
  stripMetadata(value);
  const { spec, status } = value;
  stripContainers(spec);
  stripVolume(spec);
  delete value.parameters;
  delete value.mountOptions;
  if (isFields(spec) && isFields(spec.template)) {
    stripMetadata(spec.template);
    stripContainers(spec.template.spec);
  }
  if (isFields(status)) delete status.images;
};
