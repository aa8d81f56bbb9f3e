import { readFileSync } from 'node:fs';
import type { EmulatedGroup, EmulatedInstance } from './emulator-control.ts';

/** How the kubelets of the fleet are configured. */
export interface KubeletSettings {
  /** Default: 110, the kubelet's own. */
  readonly maxPods: number | 'eni';
  /** Part of the type's memory that the machine does not show its system, per mille. */
  readonly hiddenMemoryPerMille: number;
  readonly rootVolumeGiB: number;
  readonly evictionHardMemoryMiB: number;
  readonly version: string;
}

export const defaultKubeletSettings: KubeletSettings = {
  maxPods: 110,
  // Measured fleets lose 1.7 to 5.3 per cent.
  hiddenMemoryPerMille: 40,
  rootVolumeGiB: 20,
  evictionHardMemoryMiB: 100,
  version: 'v1.37.2',
};

interface Hardware {
  readonly name: string;
  readonly vcpu: number;
  readonly memoryMiB: number;
  readonly maxNetworkInterfaces: number;
  readonly ipv4PerInterface: number;
  readonly gpus?: readonly { readonly manufacturer: string; readonly count: number }[];
}

const hardware: ReadonlyMap<string, Hardware> = new Map(
  (
    JSON.parse(readFileSync(new URL('./aws/instance-types.json', import.meta.url), 'utf8')) as {
      readonly types: readonly Hardware[];
    }
  ).types.map((type) => [type.name, type]),
);

const template = 'k8s.io/cluster-autoscaler/node-template/';

/** The Node that a kubelet and a cloud provider would register for an instance, still NotReady. */
export const nodeOf = (
  group: EmulatedGroup,
  instance: EmulatedInstance,
  settings: KubeletSettings,
): Readonly<Record<string, unknown>> => {
  const region = instance.zone.slice(0, -1);
  const arch = instance.architecture === 'arm64' ? 'arm64' : 'amd64';
  const amounts = amountsOf(group, instance, settings);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: instance.privateDnsName,
      labels: {
        'kubernetes.io/hostname': instance.privateDnsName,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': arch,
        'beta.kubernetes.io/os': 'linux',
        'beta.kubernetes.io/arch': arch,
        'node.kubernetes.io/instance-type': instance.type,
        'beta.kubernetes.io/instance-type': instance.type,
        'topology.kubernetes.io/region': region,
        'topology.kubernetes.io/zone': instance.zone,
        'failure-domain.beta.kubernetes.io/region': region,
        'failure-domain.beta.kubernetes.io/zone': instance.zone,
        ...tagged(group, 'label/'),
      },
    },
    spec: {
      providerID: `aws:///${instance.zone}/${instance.id}`,
      // The not-ready taint is added by the API server and taken away by the node controller.
      taints: Object.entries(tagged(group, 'taint/')).map(([key, text]) => taint(key, text)),
    },
    status: {
      ...amounts,
      addresses: [
        { type: 'InternalIP', address: instance.privateIp },
        { type: 'InternalDNS', address: instance.privateDnsName },
        { type: 'Hostname', address: instance.privateDnsName },
      ],
      conditions: conditions(false, new Date()),
      nodeInfo: {
        architecture: arch,
        operatingSystem: 'linux',
        kubeletVersion: settings.version,
        kubeProxyVersion: '',
        bootID: instance.id,
        machineID: instance.id,
        systemUUID: instance.id,
        kernelVersion: '6.12.0',
        osImage: 'Outrider test bed',
        containerRuntimeVersion: 'none://0',
      },
    },
  };
};

/** The conditions that a kubelet reports. */
export const conditions = (ready: boolean, now: Date): readonly unknown[] => {
  const times = {
    lastHeartbeatTime: secondsOf(now),
    lastTransitionTime: secondsOf(now),
  };
  const good = (type: string, reason: string): unknown => ({
    type,
    status: 'False',
    reason,
    message: '',
    ...times,
  });
  return [
    good('MemoryPressure', 'KubeletHasSufficientMemory'),
    good('DiskPressure', 'KubeletHasNoDiskPressure'),
    good('PIDPressure', 'KubeletHasSufficientPID'),
    {
      type: 'Ready',
      status: ready ? 'True' : 'False',
      reason: ready ? 'KubeletReady' : 'KubeletNotReady',
      message: ready ? 'kubelet is posting ready status' : 'container runtime network not ready',
      ...times,
    },
  ];
};

/** A time as API objects write it. */
export const secondsOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

const amountsOf = (
  group: EmulatedGroup,
  instance: EmulatedInstance,
  settings: KubeletSettings,
): {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
} => {
  const type = hardware.get(instance.type);
  if (type === undefined) throw new Error(`instance-types.json does not know ${instance.type}`);
  const pods =
    settings.maxPods === 'eni'
      ? type.maxNetworkInterfaces * (type.ipv4PerInterface - 1) + 2
      : settings.maxPods;
  const memoryKi = Math.floor(
    (type.memoryMiB * 1024 * (1000 - settings.hiddenMemoryPerMille)) / 1000,
  );
  const reservedMi = 255 + 11 * pods + settings.evictionHardMemoryMiB;
  // A file system of that size shows a little less of it.
  const diskKi = Math.floor(settings.rootVolumeGiB * 1024 * 1024 * 0.985);
  const devices = {
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    ...gpuResources(type),
    ...tagged(group, 'resources/'),
  };
  return {
    capacity: {
      cpu: `${type.vcpu}`,
      memory: `${memoryKi}Ki`,
      pods: `${pods}`,
      'ephemeral-storage': `${diskKi}Ki`,
      ...devices,
    },
    allocatable: {
      cpu: `${type.vcpu * 1000 - reservedMilliCpu(type.vcpu)}m`,
      memory: `${memoryKi - reservedMi * 1024}Ki`,
      pods: `${pods}`,
      'ephemeral-storage': `${Math.floor(diskKi * 1024 * 0.9)}`,
      ...devices,
    },
  };
};

const gpuResources = (type: Hardware): Readonly<Record<string, string>> => {
  const nvidia = (type.gpus ?? []).filter(({ manufacturer }) => manufacturer === 'NVIDIA');
  const count = nvidia.reduce((sum, gpu) => sum + gpu.count, 0);
  return count === 0 ? {} : { 'nvidia.com/gpu': `${count}` };
};

/** 6 % of the first core, 1 % of the second, 0.5 % of the next two, 0.25 % of the rest. */
const reservedMilliCpu = (vcpu: number): number => {
  const shares = Array.from({ length: vcpu }, (_, core) =>
    core === 0 ? 60 : core === 1 ? 10 : core < 4 ? 5 : 2.5,
  );
  return Math.floor(shares.reduce((sum, share) => sum + share, 0));
};

const tagged = (group: EmulatedGroup, kind: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(group.tags)
      .filter(([key]) => key.startsWith(template + kind))
      .map(([key, value]) => [key.slice((template + kind).length), value]),
  );

/** `value:Effect`, as Cluster Autoscaler writes taints in tags. */
const taint = (key: string, text: string): unknown => {
  const colon = text.lastIndexOf(':');
  return { key, value: text.slice(0, Math.max(colon, 0)), effect: text.slice(colon + 1) };
};
