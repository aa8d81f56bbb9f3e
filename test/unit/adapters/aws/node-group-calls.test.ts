import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import { instanceRequirementsCatalogue } from '#adapters/aws/ec2-instance-requirements.ts';
import { instanceTypeCatalogue } from '#adapters/aws/ec2-instance-types.ts';
import { describeLaunchTemplates } from '#adapters/aws/ec2-launch-templates.ts';
import { foreignInstances } from '#adapters/aws/foreign-instances.ts';
import { launchTemplateCatalogue } from '#adapters/aws/launch-template-catalogue.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

const typeOf = (name: string) => ({
  InstanceType: name,
  VCpuInfo: { DefaultVCpus: 2 },
  MemoryInfo: { SizeInMiB: 8192 },
  ProcessorInfo: { SupportedArchitectures: ['x86_64'] },
  NetworkInfo: { MaximumNetworkInterfaces: 3, Ipv4AddressesPerInterface: 10 },
});

/** Knows every type but those that contain `unknown`, as EC2 does: one of them fails the call. */
const typesClient = () =>
  clientOf(({ InstanceTypes }) => {
    const names = InstanceTypes as readonly string[];
    if (names.some((name) => name.includes('unknown'))) refuse('InvalidInstanceType');
    return { InstanceTypes: names.map(typeOf) };
  });

const groupOf = (name: string, tags: Readonly<Record<string, string>>) => ({
  AutoScalingGroupName: name,
  MinSize: 0,
  MaxSize: 3,
  DesiredCapacity: 0,
  AvailabilityZones: ['eu-central-1a'],
  Instances: [],
  Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
});

describe('instance types', () => {
  it('asks for a hundred names a call, each name once', async () => {
    const { client, inputs } = typesClient();
    const names = Array.from({ length: 250 }, (_, index) => `t${index}.large`);
    const catalogue = instanceTypeCatalogue(client as unknown as EC2Client);
    const { instanceTypes, problems } = await catalogue.find([...names, ...names]);
    expect(instanceTypes.map(({ name }) => name)).toEqual(names.toSorted());
    expect(problems).toEqual([]);
    expect(inputs.map((input) => (input.InstanceTypes as unknown[]).length)).toEqual([
      100, 100, 50,
    ]);
  });

  it('remembers them for 20 minutes, and asks only for those it does not know', async () => {
    let now = 0;
    const { client, inputs } = typesClient();
    const catalogue = instanceTypeCatalogue(client as unknown as EC2Client, () => now);
    await catalogue.find(['a.large']);
    now = 20 * 60_000 - 1;
    const both = await catalogue.find(['b.large', 'a.large']);
    expect(both.instanceTypes.map(({ name }) => name)).toEqual(['a.large', 'b.large']);
    now += 1;
    await catalogue.find(['a.large']);
    expect(inputs.map((input) => input.InstanceTypes)).toEqual([
      ['a.large'],
      ['b.large'],
      ['a.large'],
    ]);
  });

  it('finds the known among unknown ones, and names each unknown', async () => {
    const { client } = typesClient();
    const names = ['a.large', 'unknown.1', 'b.large', 'c.large', 'unknown.2', 'd.large'];
    const catalogue = instanceTypeCatalogue(client as unknown as EC2Client);
    const { instanceTypes, problems } = await catalogue.find(names);
    expect(instanceTypes.map(({ name }) => name)).toEqual([
      'a.large',
      'b.large',
      'c.large',
      'd.large',
    ]);
    expect(problems.map(({ field }) => field)).toEqual([
      'InstanceTypes[unknown.1]',
      'InstanceTypes[unknown.2]',
    ]);
  });

  it('throws where AWS does not answer, since unknown is not gone', async () => {
    const { client } = clientOf(() => refuse('RequestLimitExceeded', 503) as never);
    const found = instanceTypeCatalogue(client as unknown as EC2Client).find(['a.large']);
    await expect(found).rejects.toMatchObject({ code: 'throttled' });
  });
});

describe('launch templates', () => {
  const versionOf = (id: string, version: number) => ({
    LaunchTemplateId: id,
    LaunchTemplateName: `name-${id}`,
    VersionNumber: version,
    DefaultVersion: version === 1,
    LaunchTemplateData: { InstanceType: 'm5.large' },
  });
  const request = (template: { id?: string; name?: string; version: string }, group = 'g') => ({
    template,
    group,
  });
  const templatesClient = () =>
    clientOf(({ LaunchTemplateId, LaunchTemplateName, Versions }) => {
      const id = (LaunchTemplateId ?? String(LaunchTemplateName).replace('name-', '')) as string;
      if (id === 'lt-gone') refuse('InvalidLaunchTemplateId.NotFound');
      const versions = Versions as readonly string[];
      if (versions.includes('99')) refuse('InvalidLaunchTemplateId.VersionNotFound');
      const numbers = versions.map(
        (version) => ({ $Default: 1, $Latest: 7 })[version] ?? Number(version),
      );
      return { LaunchTemplateVersions: numbers.map((version) => versionOf(id, version)) };
    });

  it('asks once per template, for exactly the versions named', async () => {
    const { client, inputs } = templatesClient();
    const found = await describeLaunchTemplates(client as unknown as EC2Client, [
      request({ id: 'lt-b', version: '$Latest' }),
      request({ id: 'lt-a', version: '3' }),
      request({ id: 'lt-b', version: '$Default' }),
      request({ id: 'lt-b', version: '$Latest' }, 'h'),
    ]);
    expect(inputs).toEqual([
      { LaunchTemplateId: 'lt-b', Versions: ['$Latest', '$Default'] },
      { LaunchTemplateId: 'lt-a', Versions: ['3'] },
    ]);
    expect(found.versions.map(({ id, version }) => `${id}:${version}`)).toEqual([
      'lt-a:3',
      'lt-b:1',
      'lt-b:7',
    ]);
    expect(found.problems).toEqual([]);
  });

  it('has a template once that is named by id here and by name there', async () => {
    const { client } = templatesClient();
    const requests = [
      request({ id: 'lt-a', version: '7' }),
      request({ name: 'name-lt-a', version: '$Latest' }),
    ];
    const found = await describeLaunchTemplates(client as unknown as EC2Client, requests);
    expect(found.versions).toHaveLength(1);
    expect(found.problems).toEqual([]);
  });

  it('names each group whose template or version is gone, and reads the others', async () => {
    const { client } = templatesClient();
    const found = await describeLaunchTemplates(client as unknown as EC2Client, [
      request({ id: 'lt-gone', version: '1' }, 'a'),
      request({ id: 'lt-b', version: '99' }, 'b'),
      request({ id: 'lt-b', version: '2' }, 'c'),
    ]);
    expect(found.versions.map(({ id, version }) => `${id}:${version}`)).toEqual(['lt-b:2']);
    expect(found.problems).toMatchObject([
      { field: 'AutoScalingGroups[a].LaunchTemplate', code: 'launchTemplateMissing' },
      { field: 'AutoScalingGroups[b].LaunchTemplate', code: 'launchTemplateMissing' },
    ]);
  });
});

describe('groups', () => {
  it('asks by tags, page by page, and takes only groups that carry them', async () => {
    const tags = { enabled: '', cluster: 'prod' };
    const pages = [
      { AutoScalingGroups: [groupOf('b', { enabled: '', cluster: 'prod' })], NextToken: 'next' },
      {
        AutoScalingGroups: [
          groupOf('c', { enabled: '', cluster: 'other' }),
          groupOf('a', { enabled: 'x', cluster: 'prod' }),
        ],
      },
    ];
    const { client, inputs } = clientOf(() => pages.shift() ?? {});
    const autoScaling = client as unknown as AutoScalingClient;
    const ec2 = typesClient().client as unknown as EC2Client;
    const nodeGroups = autoScalingNodeGroups({
      autoScaling,
      raising: autoScaling,
      discoveryTags: tags,
      instanceTypes: instanceTypeCatalogue(ec2),
      launchTemplates: launchTemplateCatalogue(ec2),
      requirements: instanceRequirementsCatalogue(ec2),
      foreign: foreignInstances(autoScaling, { discoveryTags: tags }),
    });
    const { view } = await nodeGroups.discover();
    expect(view.groups.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(view.region).toBe('eu-central-1');
    const Filters = [
      { Name: 'tag-key', Values: ['enabled'] },
      { Name: 'tag:cluster', Values: ['prod'] },
    ];
    expect(inputs).toEqual([
      { Filters, MaxRecords: 100 },
      { Filters, MaxRecords: 100, NextToken: 'next' },
    ]);
  });
});
