import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  DescribeScalingActivitiesCommand,
  paginateDescribeAutoScalingGroups,
  ResumeProcessesCommand,
  SetDesiredCapacityCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  DescribeInstancesCommand,
  DescribeInstanceTypesCommand,
  DescribeLaunchTemplateVersionsCommand,
  EC2Client,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { eventually } from '../../testbed/eventually.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import '../../helpers/own-temporary-folder.ts';

describe.skipIf(await withoutTestbed())('the test bed’s AWS', () => {
  let emulator: AwsEmulator;
  let autoScaling: AutoScalingClient;
  let ec2: EC2Client;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outrider-emulator-'));
    emulator = await startAwsEmulator({ folder, progress: () => undefined });
    // One attempt, so that injected faults are seen and not retried away.
    autoScaling = new AutoScalingClient({ ...emulator.clientConfig, maxAttempts: 1 });
    ec2 = new EC2Client({ ...emulator.clientConfig, maxAttempts: 1 });
  });
  beforeEach(async () => {
    await emulator.control.reset();
  });
  afterAll(async () => {
    autoScaling?.destroy();
    ec2?.destroy();
    await emulator?.stop();
  });

  const describeGroup = async (name: string) => {
    const answer = await autoScaling.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] }),
    );
    const [group] = answer.AutoScalingGroups ?? [];
    if (group === undefined) throw new Error(`no group ${name}`);
    return group;
  };
  const raise = (name: string, desired: number) =>
    autoScaling.send(
      new SetDesiredCapacityCommand({ AutoScalingGroupName: name, DesiredCapacity: desired }),
    );

  it('launches instances that EC2 knows, spread over the group’s zones, each with its own address', async () => {
    await makeNodeGroup(emulator, {
      name: 'spread',
      cluster: 'c',
      instanceType: 'm7g.large',
      zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
      max: 6,
      desired: 6,
    });
    const { Instances = [], NewInstancesProtectedFromScaleIn } = await describeGroup('spread');
    expect(Instances.map(({ AvailabilityZone }) => AvailabilityZone)).toEqual([
      ...['us-east-1a', 'us-east-1b', 'us-east-1c'],
      ...['us-east-1a', 'us-east-1b', 'us-east-1c'],
    ]);
    expect(NewInstancesProtectedFromScaleIn).toBe(true);
    expect(Instances[0]).toMatchObject({
      InstanceType: 'm7g.large',
      LifecycleState: 'InService',
      ProtectedFromScaleIn: true,
    });
    const ids = Instances.map(({ InstanceId = '' }) => InstanceId);
    const { Reservations = [] } = await ec2.send(
      new DescribeInstancesCommand({ InstanceIds: ids }),
    );
    const known = Reservations.flatMap((reservation) => reservation.Instances ?? []);
    expect(known[0]).toMatchObject({ Architecture: 'arm64', State: { Name: 'running' } });
    expect(new Set(known.map(({ PrivateIpAddress }) => PrivateIpAddress)).size).toBe(6);
    expect(known[0]?.Tags).toContainEqual({ Key: 'aws:autoscaling:groupName', Value: 'spread' });
  });

  it('finds groups by tags and gives them in pages', async () => {
    for (const name of ['a', 'b', 'c']) {
      await makeNodeGroup(emulator, {
        name,
        cluster: name === 'c' ? 'other' : 'mine',
        instanceType: 'm5.large',
        max: 1,
      });
    }
    const pages: (readonly (string | undefined)[])[] = [];
    const filters = {
      Filters: [
        { Name: 'tag:k8s.io/cluster-autoscaler/enabled', Values: ['true'] },
        { Name: 'tag-key', Values: ['k8s.io/cluster-autoscaler/mine'] },
      ],
    };
    for await (const page of paginateDescribeAutoScalingGroups(
      { client: autoScaling, pageSize: 1 },
      filters,
    )) {
      pages.push((page.AutoScalingGroups ?? []).map((group) => group.AutoScalingGroupName));
    }
    expect(pages).toEqual([['a'], ['b']]);
  });

  it('keeps the limits of a group and launches nothing while Launch is suspended', async () => {
    await makeNodeGroup(emulator, { name: 'g', cluster: 'c', instanceType: 'm5.large', max: 2 });
    await expect(raise('g', 3)).rejects.toMatchObject({ name: 'ValidationError' });
    const launch = { AutoScalingGroupName: 'g', ScalingProcesses: ['Launch'] };
    await autoScaling.send(new SuspendProcessesCommand(launch));
    await raise('g', 1);
    const suspended = await describeGroup('g');
    expect(suspended.SuspendedProcesses?.map(({ ProcessName }) => ProcessName)).toEqual(['Launch']);
    expect(suspended.Instances ?? []).toEqual([]);
    await autoScaling.send(new ResumeProcessesCommand(launch));
    const resumed = await describeGroup('g');
    expect(resumed.SuspendedProcesses ?? []).toEqual([]);
    expect(resumed.Instances).toHaveLength(1);
  });

  it('replaces a terminated instance', async () => {
    await makeNodeGroup(emulator, {
      name: 'g',
      cluster: 'c',
      instanceType: 'm5.large',
      max: 2,
      desired: 1,
    });
    const before = (await emulator.control.groups())[0]?.instances[0]?.id;
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [before ?? ''] }));
    const after = (await emulator.control.groups())[0]?.instances;
    expect(after).toHaveLength(1);
    expect(after?.[0]?.id).not.toBe(before);
  });

  it('tells true figures of instance types and refuses unknown ones', async () => {
    const answer = await ec2.send(
      new DescribeInstanceTypesCommand({ InstanceTypes: ['m5.large', 'm7g.large', 'g4dn.xlarge'] }),
    );
    const types = new Map(answer.InstanceTypes?.map((type) => [`${type.InstanceType}`, type]));
    expect(types.get('m5.large')).toMatchObject({
      VCpuInfo: { DefaultVCpus: 2 },
      MemoryInfo: { SizeInMiB: 8192 },
      NetworkInfo: { MaximumNetworkInterfaces: 3, Ipv4AddressesPerInterface: 10 },
    });
    expect(types.get('m7g.large')?.ProcessorInfo?.SupportedArchitectures).toEqual(['arm64']);
    expect(types.get('g4dn.xlarge')?.GpuInfo?.Gpus).toMatchObject([
      { Manufacturer: 'NVIDIA', Count: 1 },
    ]);
    await expect(
      ec2.send(new DescribeInstanceTypesCommand({ InstanceTypes: ['m5.huge' as never] })),
    ).rejects.toMatchObject({ name: 'InvalidInstanceType' });
  });

  it('gives the default versions of all launch templates at once', async () => {
    for (const [name, instanceType] of [
      ['a', 'm5.large'],
      ['b', 'c5.xlarge'],
    ] as const) {
      await makeNodeGroup(emulator, { name, cluster: 'c', instanceType, max: 1 });
    }
    const { LaunchTemplateVersions = [] } = await ec2.send(
      new DescribeLaunchTemplateVersionsCommand({ Versions: ['$Default'] }),
    );
    const types = LaunchTemplateVersions.map((v) => v.LaunchTemplateData?.InstanceType);
    expect(types.toSorted()).toEqual(['c5.xlarge', 'm5.large']);
  });

  it('answers the next calls with an injected fault, in the service’s own protocol', async () => {
    const { control } = emulator;
    await makeNodeGroup(emulator, { name: 'g', cluster: 'c', instanceType: 'm5.large', max: 2 });
    await control.inject({
      service: 'autoscaling',
      action: 'SetDesiredCapacity',
      code: 'Throttling',
      times: 2,
    });
    await control.inject({
      service: 'ec2',
      action: 'DescribeInstances',
      code: 'RequestLimitExceeded',
    });
    await expect(raise('g', 1)).rejects.toMatchObject({ name: 'Throttling' });
    await expect(raise('g', 1)).rejects.toMatchObject({ name: 'Throttling' });
    await expect(ec2.send(new DescribeInstancesCommand({}))).rejects.toMatchObject({
      name: 'RequestLimitExceeded',
      $metadata: { httpStatusCode: 503 },
    });
    await raise('g', 1);
    expect((await describeGroup('g')).Instances).toHaveLength(1);
    const calls = await control.calls({ action: 'SetDesiredCapacity' });
    expect(calls.map(({ fault, status }) => [fault, status])).toEqual([
      ['Throttling', 400],
      ['Throttling', 400],
      [undefined, 200],
    ]);
    expect(calls[2]?.parameters).toContain('DesiredCapacity=1');
  });

  it('fails a launch for want of capacity, says so, and tries again later', async () => {
    await makeNodeGroup(emulator, { name: 'g', cluster: 'c', instanceType: 'm5.large', max: 2 });
    await emulator.control.inject({
      service: 'autoscaling',
      action: 'Launch',
      code: 'InsufficientInstanceCapacity',
      group: 'g',
    });
    await raise('g', 1);
    expect(await describeGroup('g')).toMatchObject({ DesiredCapacity: 1 });
    expect((await describeGroup('g')).Instances ?? []).toEqual([]);
    const { Activities = [] } = await autoScaling.send(
      new DescribeScalingActivitiesCommand({ AutoScalingGroupName: 'g' }),
    );
    expect(Activities[0]).toMatchObject({ StatusCode: 'Failed' });
    expect(Activities[0]?.StatusMessage).toContain('InsufficientInstanceCapacity');
    await eventually('the second try', async () => (await describeGroup('g')).Instances?.[0]);
  });

  it('keeps callers from sending events as AWS, and sends them itself', async () => {
    const events = new EventBridgeClient(emulator.clientConfig);
    const { FailedEntryCount } = await events.send(
      new PutEventsCommand({
        Entries: [{ Source: 'aws.ec2', DetailType: 'Forged', Detail: '{}' }],
      }),
    );
    events.destroy();
    expect(FailedEntryCount).toBe(1);
    await emulator.control.emit('aws.ec2', 'EC2 Spot Instance Interruption Warning', {});
  });
});
