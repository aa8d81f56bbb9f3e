import { type Fields, fieldsOf, finished, type Place, type ReadResult } from './aws-fields.ts';
import type { InstanceType } from './aws-views.ts';

const architectures: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'amd64'],
  ['arm64', 'arm64'],
]);

/** The extended resource of each maker's device plugin. */
const gpuResources: ReadonlyMap<string, string> = new Map([
  ['nvidia', 'nvidia.com/gpu'],
  ['amd', 'amd.com/gpu'],
  ['habana', 'habana.ai/gaudi'],
]);

/** Reads one entry of `InstanceTypes` (DescribeInstanceTypes). Never throws. */
export const readInstanceType = (entry: unknown, place: Place): ReadResult<InstanceType> => {
  const fields = fieldsOf(entry, place);
  const network = fields.object('NetworkInfo');
  const instanceStoreGB = fields.object('InstanceStorageInfo')?.optionalCount('TotalSizeInGB') ?? 0;
  const maxDataVolumes = readMaxDataVolumes(fields);
  return finished(fields, {
    name: fields.text('InstanceType'),
    vcpu: within(fields, 'VCpuInfo', 'DefaultVCpus'),
    memoryMiB: within(fields, 'MemoryInfo', 'SizeInMiB'),
    architecture: readArchitecture(fields),
    maxNetworkInterfaces: network === undefined ? 0 : interfaces(network),
    ipv4PerInterface: network?.optionalCount('Ipv4AddressesPerInterface') ?? 0,
    ...(instanceStoreGB === 0 ? {} : { instanceStoreGB }),
    ...(maxDataVolumes === undefined ? {} : { maxDataVolumes }),
    devices: readDevices(fields),
    bareMetal: fields.flag('BareMetal'),
  });
};

const within = (fields: Fields, object: string, name: string): number => {
  const nested = fields.object(object);
  if (nested !== undefined) return nested.count(name);
  fields.refuse(object, 'missingField', `${object}.${name} is missing: the type is left out`);
  return 0;
};

const readArchitecture = (fields: Fields): string => {
  const supported = fields.object('ProcessorInfo')?.list('SupportedArchitectures') ?? [];
  for (const name of supported) {
    const known = typeof name === 'string' ? architectures.get(name) : undefined;
    if (known !== undefined) return known;
  }
  fields.refuse(
    'ProcessorInfo.SupportedArchitectures',
    'unknownArchitecture',
    'neither x86_64 nor arm64 is among the architectures: the type is left out',
  );
  return '';
};

/** Of the default network card, the only one whose addresses the VPC CNI hands to pods. */
const interfaces = (network: Fields): number => {
  const index = network.optionalCount('DefaultNetworkCardIndex') ?? 0;
  const card = network
    .objects('NetworkCards')
    .find((candidate) => candidate.optionalCount('NetworkCardIndex') === index);
  return (
    card?.optionalCount('MaximumNetworkInterfaces') ??
    network.optionalCount('MaximumNetworkInterfaces') ??
    0
  );
};

/**
 * The attachments that EC2 allows less the root volume; where volumes share them with network interfaces and the
 * disks of the instance store, less the first interface and those disks too ("Amazon EBS volume limits for EC2
 * instances"). More interfaces make it less: what a Node's CSINode says counts as soon as there is one.
 */
const readMaxDataVolumes = (fields: Fields): number | undefined => {
  const ebs = fields.object('EbsInfo');
  const most = ebs?.optionalCount('MaximumEbsAttachments');
  if (most === undefined) return undefined;
  const disks = (fields.object('InstanceStorageInfo')?.objects('Disks') ?? []).reduce(
    (sum, disk) => sum + (disk.optionalCount('Count') ?? 0),
    0,
  );
  const shared = ebs?.optionalText('AttachmentLimitType') === 'dedicated' ? 0 : 1 + disks;
  return Math.max(most - 1 - shared, 0);
};

const readDevices = (fields: Fields): Readonly<Record<string, number>> => {
  const devices = new Map<string, number>();
  const add = (resource: string | undefined, count: number): void => {
    if (resource !== undefined && count > 0) {
      devices.set(resource, (devices.get(resource) ?? 0) + count);
    }
  };
  for (const gpu of fields.object('GpuInfo')?.objects('Gpus') ?? []) {
    const maker = (gpu.optionalText('Manufacturer') ?? '').toLowerCase();
    add(gpuResources.get(maker), gpu.optionalCount('Count') ?? 0);
  }
  for (const neuron of fields.object('NeuronInfo')?.objects('NeuronDevices') ?? []) {
    const count = neuron.optionalCount('Count') ?? 0;
    add('aws.amazon.com/neuron', count);
    add(
      'aws.amazon.com/neuroncore',
      count * (neuron.object('CoreInfo')?.optionalCount('Count') ?? 0),
    );
  }
  return Object.fromEntries([...devices].sort(([a], [b]) => (a < b ? -1 : 1)));
};
