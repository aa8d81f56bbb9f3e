import { describe, expect, it } from 'vitest';
import { isAwsDocument, readAwsObjects, regionOfGroups } from '#scaling/read-aws-objects.ts';
import { group } from '../../helpers/scaling-builders.ts';

const asg = {
  AutoScalingGroupName: 'workers-a',
  AutoScalingGroupARN: 'arn:aws:autoscaling:us-east-1:1:autoScalingGroup:x',
  MixedInstancesPolicy: {
    LaunchTemplate: {
      LaunchTemplateSpecification: {
        LaunchTemplateId: 'lt-1',
        LaunchTemplateName: 'w',
        Version: '3',
      },
      Overrides: [
        { InstanceType: 'm5.large' },
        { InstanceType: 'm5.xlarge', WeightedCapacity: '2' },
        { InstanceRequirements: { VCpuCount: { Min: 2 } } },
      ],
    },
    InstancesDistribution: { OnDemandBaseCapacity: 2, SpotAllocationStrategy: 'lowest-price' },
  },
  MinSize: 1,
  MaxSize: 5,
  DesiredCapacity: 2,
  AvailabilityZones: ['us-east-1a', 'us-east-1b'],
  Instances: [
    {
      InstanceId: 'i-0abc',
      InstanceType: 'm5.large',
      AvailabilityZone: 'us-east-1a',
      LifecycleState: 'InService',
      HealthStatus: 'Unhealthy',
      ProtectedFromScaleIn: true,
    },
  ],
  CreatedTime: new Date(0),
  SuspendedProcesses: [{ ProcessName: 'AZRebalance', SuspensionReason: 'x' }],
  Tags: [
    { Key: 'k8s.io/cluster-autoscaler/enabled', Value: '', PropagateAtLaunch: false },
    { Key: '__proto__', Value: 'x' },
  ],
  NewInstancesProtectedFromScaleIn: true,
};

const template = {
  LaunchTemplateId: 'lt-1',
  LaunchTemplateName: 'w',
  VersionNumber: 3,
  DefaultVersion: true,
  LaunchTemplateData: {
    ImageId: 'ami-1',
    InstanceType: 'm5.large',
    BlockDeviceMappings: [
      { DeviceName: '/dev/xvdb', Ebs: { VolumeSize: 500 } },
      { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 80 } },
    ],
  },
};

const type = {
  InstanceType: 'p4d.24xlarge',
  BareMetal: false,
  ProcessorInfo: { SupportedArchitectures: ['x86_64'] },
  VCpuInfo: { DefaultVCpus: 96 },
  MemoryInfo: { SizeInMiB: 1179648 },
  NetworkInfo: {
    MaximumNetworkInterfaces: 60,
    Ipv4AddressesPerInterface: 50,
    DefaultNetworkCardIndex: 0,
    NetworkCards: [
      { NetworkCardIndex: 0, MaximumNetworkInterfaces: 15 },
      { NetworkCardIndex: 1, MaximumNetworkInterfaces: 15 },
    ],
  },
  GpuInfo: { Gpus: [{ Name: 'A100', Manufacturer: 'NVIDIA', Count: 8 }] },
};

const read = (...contents: readonly unknown[]) =>
  readAwsObjects(contents.map((content, index) => ({ file: `${index}.json`, content })));

describe('what AWS says', () => {
  it('reads a group as the SDK and the CLI give it', () => {
    const { groups, problems } = read({ AutoScalingGroups: [asg] });
    expect(problems).toEqual([]);
    expect(groups).toEqual([
      {
        name: 'workers-a',
        min: 1,
        max: 5,
        desired: 2,
        zones: ['us-east-1a', 'us-east-1b'],
        tags: Object.fromEntries([
          ['k8s.io/cluster-autoscaler/enabled', ''],
          ['__proto__', 'x'],
        ]),
        launchTemplate: { id: 'lt-1', name: 'w', version: '3' },
        overrides: [
          { instanceType: 'm5.large', byAttributes: false },
          { instanceType: 'm5.xlarge', byAttributes: false, weight: 2 },
          { byAttributes: true, requirements: { VCpuCount: { Min: 2 } } },
        ],
        distribution: { onDemandBase: 2, onDemandPercentAbove: 100 },
        instances: [
          {
            id: 'i-0abc',
            zone: 'us-east-1a',
            type: 'm5.large',
            lifecycleState: 'InService',
            healthy: false,
            protectedFromScaleIn: true,
          },
        ],
        suspendedProcesses: ['AZRebalance'],
        newInstancesProtected: true,
      },
    ]);
  });

  it('reads the units that each instance counts for, and what sizes count where not units', () => {
    const [instance] = asg.Instances;
    const group = (more: object) => read({ AutoScalingGroups: [{ ...asg, ...more }] });
    const weighted = group({ Instances: [{ ...instance, WeightedCapacity: '4' }] });
    expect(weighted.groups[0]?.instances[0]?.weight).toBe(4);
    expect(group({ DesiredCapacityType: 'vcpu' }).groups[0]?.desiredCapacityType).toBe('vcpu');
    expect(group({ DesiredCapacityType: 'units' }).groups[0]).not.toHaveProperty(
      'desiredCapacityType',
    );
    expect(group({ Instances: [{ ...instance, WeightedCapacity: '0' }] }).problems).toMatchObject([
      { field: 'AutoScalingGroups[workers-a].Instances[0].WeightedCapacity' },
    ]);
  });

  it('reads the warm pool of a group, and none where it has none', () => {
    const pool = { WarmPoolConfiguration: { PoolState: 'Running', MinSize: 2 }, WarmPoolSize: 3 };
    const { groups } = read({ AutoScalingGroups: [{ ...asg, ...pool }] });
    expect(groups[0]?.warmPool).toEqual({ size: 3, state: 'Running' });
    const plain = read({ AutoScalingGroups: [{ ...asg, WarmPoolSize: 0 }] });
    expect(plain.groups[0]).not.toHaveProperty('warmPool');
  });

  it('reads how many EBS volumes a type takes beside its root volume', () => {
    const volumesOf = (ebs: object, disks?: object) =>
      read({
        InstanceTypes: [{ ...type, EbsInfo: ebs, ...(disks && { InstanceStorageInfo: disks }) }],
      }).instanceTypes[0]?.maxDataVolumes;
    const shared = { MaximumEbsAttachments: 28, AttachmentLimitType: 'shared' };
    expect(volumesOf(shared)).toBe(26);
    expect(volumesOf(shared, { Disks: [{ Count: 8, SizeInGB: 1000 }] })).toBe(18);
    expect(volumesOf({ MaximumEbsAttachments: 64, AttachmentLimitType: 'dedicated' })).toBe(63);
    expect(volumesOf({})).toBeUndefined();
  });

  it('takes a launch template named without a version for its default', () => {
    const { MixedInstancesPolicy: _, ...plain } = asg;
    const { groups } = read({
      AutoScalingGroups: [{ ...plain, LaunchTemplate: { LaunchTemplateName: 'w' } }],
    });
    expect(groups[0]?.launchTemplate).toEqual({ name: 'w', version: '$Default' });
  });

  it('reads a launch template and takes the root volume, not a data volume', () => {
    expect(read({ LaunchTemplateVersions: [template] })).toMatchObject({
      problems: [],
      launchTemplates: [
        {
          id: 'lt-1',
          name: 'w',
          version: 3,
          isDefault: true,
          instanceType: 'm5.large',
          byAttributes: false,
          imageId: 'ami-1',
          rootVolumeGiB: 80,
        },
      ],
    });
    const data = { BlockDeviceMappings: [{ DeviceName: '/dev/sdf', Ebs: { VolumeSize: 500 } }] };
    const [silent] = read({
      LaunchTemplateVersions: [{ ...template, LaunchTemplateData: data }],
    }).launchTemplates;
    expect(silent).not.toHaveProperty('rootVolumeGiB');
  });

  it('reads a type with its GPUs and the interfaces of its default network card', () => {
    expect(read({ InstanceTypes: [type] }).instanceTypes).toEqual([
      {
        name: 'p4d.24xlarge',
        vcpu: 96,
        memoryMiB: 1179648,
        architecture: 'amd64',
        maxNetworkInterfaces: 15,
        ipv4PerInterface: 50,
        devices: { 'nvidia.com/gpu': 8 },
        bareMetal: false,
      },
    ]);
  });

  it('tells versions apart by a hash of their user data, of which it keeps nothing', () => {
    const hashOf = (UserData?: string) => {
      const data = { ImageId: 'ami-1', ...(UserData === undefined ? {} : { UserData }) };
      const { launchTemplates } = read({
        LaunchTemplateVersions: [{ ...template, LaunchTemplateData: data }],
      });
      expect(JSON.stringify(launchTemplates)).not.toContain('c2VjcmV0');
      return launchTemplates[0]?.userDataHash;
    };
    expect(hashOf('c2VjcmV0')).toMatch(/^[0-9a-f]{1,8}$/);
    expect(hashOf('c2VjcmV0')).toBe(hashOf('c2VjcmV0'));
    expect(hashOf('c2VjcmV0')).not.toBe(hashOf('c2VjcmV1'));
    expect(hashOf()).toBeUndefined();
  });

  it('reads what an instance was launched from', () => {
    const from = { LaunchTemplateId: 'lt-1', LaunchTemplateName: 'w', Version: '3' };
    const [first] = asg.Instances;
    const { groups } = read({
      AutoScalingGroups: [{ ...asg, Instances: [{ ...first, LaunchTemplate: from }] }],
    });
    expect(groups[0]?.instances[0]?.launchTemplate).toEqual({
      id: 'lt-1',
      name: 'w',
      version: '3',
    });
  });

  it("reads the size of a type's own disks, all of them together", () => {
    const disks = { TotalSizeInGB: 8000, Disks: [{ SizeInGB: 1000, Count: 8, Type: 'ssd' }] };
    const { instanceTypes } = read({ InstanceTypes: [{ ...type, InstanceStorageInfo: disks }] });
    expect(instanceTypes[0]?.instanceStoreGB).toBe(8000);
  });

  it('reads Graviton and Neuron', () => {
    const { instanceTypes } = read({
      InstanceTypes: [
        {
          ...type,
          GpuInfo: undefined,
          ProcessorInfo: { SupportedArchitectures: ['i386', 'arm64'] },
          NeuronInfo: { NeuronDevices: [{ Count: 6, CoreInfo: { Count: 2 } }] },
        },
      ],
    });
    expect(instanceTypes[0]).toMatchObject({
      architecture: 'arm64',
      devices: { 'aws.amazon.com/neuron': 6, 'aws.amazon.com/neuroncore': 12 },
    });
  });

  it('reads which types a group may launch by its attributes', () => {
    const answer = { InstanceTypes: [{ InstanceType: 'm5.xlarge' }, { InstanceType: 'm5.large' }] };
    const { typesByAttributes, instanceTypes, problems } = read({
      GroupInstanceTypes: [{ AutoScalingGroupName: 'workers-a', ...answer }],
    });
    expect(typesByAttributes).toEqual([{ group: 'workers-a', types: ['m5.large', 'm5.xlarge'] }]);
    expect(instanceTypes).toEqual([]);
    expect(problems).toEqual([]);
    expect(read({ GroupInstanceTypes: [answer] }).problems).toMatchObject([
      { field: 'GroupInstanceTypes[0].AutoScalingGroupName' },
    ]);
  });

  it('merges several documents, told apart by what is in them', () => {
    const merged = read(
      { AutoScalingGroups: [asg] },
      { InstanceTypes: [type], LaunchTemplateVersions: [template] },
      { AutoScalingGroups: [{ ...asg, AutoScalingGroupName: 'workers-b' }] },
      { kind: 'List', items: [] },
    );
    expect(merged.groups.map(({ name }) => name)).toEqual(['workers-a', 'workers-b']);
    expect(merged.launchTemplates).toHaveLength(1);
    expect(merged.instanceTypes).toHaveLength(1);
    expect(merged.problems).toEqual([]);
    expect(isAwsDocument({ InstanceTypes: [] })).toBe(true);
    expect(isAwsDocument({ kind: 'List', items: [] })).toBe(false);
    expect(isAwsDocument(null)).toBe(false);
  });

  it('leaves out a broken entry, names file, field and remedy, and keeps the rest', () => {
    const { groups, problems } = read({
      AutoScalingGroups: [
        { ...asg, AutoScalingGroupName: 'broken', MaxSize: 'ten' },
        { ...asg, AutoScalingGroupName: 'upside-down', MaxSize: 0 },
        'nonsense',
        asg,
      ],
    });
    expect(groups.map(({ name }) => name)).toEqual(['workers-a']);
    expect(problems).toEqual([
      {
        file: '0.json',
        field: 'AutoScalingGroups[broken].MaxSize',
        code: 'wrongType',
        message: expect.stringContaining('MaxSize is "ten", not a whole number'),
      },
      expect.objectContaining({ code: 'maxBelowMin' }),
      expect.objectContaining({ code: 'maxBelowMin' }),
      expect.objectContaining({ field: 'AutoScalingGroups[2]', code: 'notAnObject' }),
      ...Array.from({ length: 4 }, () => expect.objectContaining({ code: 'missingField' })),
    ]);
  });

  it('names what is given twice and uses the first', () => {
    const { groups, problems } = read(
      { AutoScalingGroups: [asg] },
      { AutoScalingGroups: [{ ...asg, MaxSize: 99 }] },
    );
    expect(groups.map(({ max }) => max)).toEqual([5]);
    expect(problems).toMatchObject([{ file: '1.json', code: 'duplicate' }]);
  });

  it('tells the region by the zones, local zones too', () => {
    expect(regionOfGroups([group('a', { zones: ['us-west-2-lax-1a'] })])).toBe('us-west-2');
    expect(regionOfGroups([group('a', { zones: [] }), group('b')])).toBe('us-east-1');
    expect(regionOfGroups([group('a', { zones: ['us-gov-west-1b'] })])).toBe('us-gov-west-1');
    expect(regionOfGroups([])).toBeUndefined();
  });
});
