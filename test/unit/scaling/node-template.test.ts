import { describe, expect, it } from 'vitest';
import { instanceIdOf, matchNodes } from '#scaling/match-nodes.ts';
import { buildTemplates, type TemplateContext } from '#scaling/node-template.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import {
  GiB,
  g4dn,
  group,
  instance,
  instanceType,
  launchTemplate,
  launchTemplates,
  m5large,
  m5xlarge,
  minute,
  node,
  nodeOf,
  now,
  override,
} from '../../helpers/scaling-builders.ts';

const prefix = 'k8s.io/cluster-autoscaler/node-template/';

const context: TemplateContext = {
  aws: {
    region: 'us-east-1',
    launchTemplates,
    instanceTypes: [m5large, m5xlarge, g4dn],
  },
  policy: defaultScalingPolicy,
  clusterRunsVpcCni: false,
  live: [],
  nowMs: now,
};

const build = (over: Parameters<typeof group>[1], more: Partial<TemplateContext> = {}) =>
  buildTemplates(group('workers', over), { ...context, ...more });

const blockedBy = (over: Parameters<typeof group>[1], more: Partial<TemplateContext> = {}) => {
  const { blocked, templates } = build(over, more);
  expect(blocked?.group).toBe('workers');
  expect(blocked?.message).toMatch(/[:;] /);
  return [blocked?.code, templates.length];
};

describe('the template of a new node', () => {
  it('carries every well-known label, in the stable and the beta spelling', () => {
    const [template] = build({}).templates;
    expect(template?.node.labels).toEqual({
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'kubernetes.io/hostname': template?.node.name,
      'node.kubernetes.io/instance-type': 'm5.large',
      'topology.kubernetes.io/region': 'us-east-1',
      'topology.kubernetes.io/zone': 'us-east-1a',
      'topology.ebs.csi.aws.com/zone': 'us-east-1a',
      'beta.kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
      'beta.kubernetes.io/instance-type': 'm5.large',
      'failure-domain.beta.kubernetes.io/region': 'us-east-1',
      'failure-domain.beta.kubernetes.io/zone': 'us-east-1a',
    });
  });

  it('comes once for each zone and type', () => {
    const { templates } = build({
      zones: ['us-east-1b', 'us-east-1a'],
      overrides: [override('m5.xlarge'), override('m5.large')],
    });
    expect(templates.map(({ zone, instanceType: type }) => [zone, type])).toEqual([
      ['us-east-1a', 'm5.large'],
      ['us-east-1a', 'm5.xlarge'],
      ['us-east-1b', 'm5.large'],
      ['us-east-1b', 'm5.xlarge'],
    ]);
    expect(new Set(templates.map(({ node: { name } }) => name)).size).toBe(4);
  });

  it('lets tags have the last word over policy, and both over what is computed', () => {
    const [template] = build(
      {
        tags: {
          [`${prefix}label/kubernetes.io/arch`]: 'arm64',
          [`${prefix}taint/shared`]: 'tag:NoSchedule',
          [`${prefix}resources/memory`]: '3Gi',
        },
      },
      {
        policy: {
          ...defaultScalingPolicy,
          groups: [
            {
              match: 'work*',
              labels: { 'kubernetes.io/arch': 'mips', extra: 'yes' },
              taints: [
                { key: 'shared', value: 'policy', effect: 'NoExecute' },
                { key: 'own', value: '', effect: 'NoSchedule' },
              ],
              resources: { memory: 1, cpu: 500 },
            },
          ],
        },
      },
    ).templates;
    expect(template?.node.labels).toMatchObject({ 'kubernetes.io/arch': 'arm64', extra: 'yes' });
    expect(template?.node.taints).toEqual([
      { key: 'own', value: '', effect: 'NoSchedule' },
      { key: 'shared', value: 'tag', effect: 'NoSchedule' },
    ]);
    expect(template?.node.allocatable).toMatchObject({ cpu: 500, memory: 3 * GiB });
    expect(template?.capacity).toMatchObject({ cpu: 500, memory: 3 * GiB });
  });

  it('counts pods by network interfaces where the VPC CNI runs', () => {
    expect(build({}).templates[0]?.node.allocatable.pods).toBe(110);
    expect(build({}, { clusterRunsVpcCni: true }).templates[0]?.node.allocatable.pods).toBe(29);
  });

  it('says that it took the usual root volume where the launch template is silent', () => {
    const { rootVolumeGiB: _, ...silent } = launchTemplate('lt-m5');
    const { notes } = build({}, { aws: { ...context.aws, launchTemplates: [silent] } });
    expect(notes).toEqual(['m5.large: no root volume in the launch template, 20 GiB taken']);
    expect(build({}).notes).toEqual([]);
  });

  it('takes a changed tag at once, whatever lives', () => {
    const one = instance('i-1');
    const live = [{ instance: one, node: nodeOf(one, { labels: { pool: 'old' } }) }];
    const [template] = build({ tags: { [`${prefix}label/pool`]: 'new' } }, { live }).templates;
    expect(template?.node.labels.pool).toBe('new');
  });
});

describe('learning from nodes that live', () => {
  const [one, two] = [instance('i-1'), instance('i-2')];
  const amounts = { cpu: 1900, memory: 7 * GiB, 'ephemeral-storage': 15 * GiB, pods: 20 };
  const nodeWith = (over: Parameters<typeof nodeOf>[1], of = one) => ({
    instance: of,
    node: nodeOf(of, { allocatable: amounts, ...over }),
  });
  const learned = (...live: TemplateContext['live']) =>
    build({}, { live }).templates[0]?.node.allocatable;

  it('takes what the newest usable node of the type has, whatever older ones have', () => {
    const newer = { ...amounts, cpu: 1950, memory: 6 * GiB };
    const live = [
      nodeWith({}),
      nodeWith({ allocatable: newer, createdAtMs: now - 30 * minute }, two),
    ];
    expect(learned(...live)).toEqual(newer);
    expect(learned(...live.reverse())).toEqual(newer);
  });

  it('takes no fewer devices than the type has, nor than any usable node shows', () => {
    const type = instanceType('p4d.24xlarge', { devices: { 'nvidia.com/gpu': 8 } });
    const aws = { ...context.aws, instanceTypes: [type] };
    const learnedOf = (...shown: readonly (readonly [gpus: number, fuses: number])[]) =>
      build(
        { overrides: [override('p4d.24xlarge')] },
        {
          aws,
          live: shown.map(([gpus, fuses], index) =>
            nodeWith(
              { allocatable: { ...amounts, 'nvidia.com/gpu': gpus, 'example.com/fuse': fuses } },
              instance(`i-${index}`, { type: 'p4d.24xlarge' }),
            ),
          ),
        },
      ).templates[0]?.node.allocatable;
    expect(learnedOf([7, 20], [8, 19])).toMatchObject({
      'nvidia.com/gpu': 8,
      'example.com/fuse': 20,
    });
    expect(learnedOf([7, 20])).toMatchObject({ 'nvidia.com/gpu': 8, 'example.com/fuse': 20 });
    // A device plugin that shares each GPU shows more of them.
    expect(learnedOf([32, 1])).toMatchObject({ 'nvidia.com/gpu': 32 });
  });

  it('does not learn from nodes that are not usable or of another type', () => {
    const computed = build({}).templates[0]?.node.allocatable;
    const starting = {
      key: 'node.kubernetes.io/not-ready',
      value: '',
      effect: 'NoSchedule' as const,
    };
    expect(learned(nodeWith({ ready: 'False' }))).toEqual(computed);
    expect(learned(nodeWith({ taints: [starting] }))).toEqual(computed);
    expect(learned(nodeWith({}, { ...one, type: 'm5.xlarge' }))).toEqual(computed);
  });

  it('never learns labels or taints', () => {
    const passing = { key: 'maintenance', value: '', effect: 'NoSchedule' as const };
    const { templates } = build(
      {},
      { live: [nodeWith({ taints: [passing], labels: { once: 'x' } })] },
    );
    expect(templates[0]?.node.taints).toEqual([]);
    expect(templates[0]?.node.labels).not.toHaveProperty('once');
  });

  it('lets a resources tag stand above what was learned', () => {
    const { templates } = build(
      { tags: { [`${prefix}resources/cpu`]: '1' } },
      { live: [nodeWith({})] },
    );
    expect(templates[0]?.node.allocatable).toMatchObject({ cpu: 1000, memory: 7 * GiB });
  });

  it('promises a device nobody declared once every grown node has it', () => {
    const withFuse = { ...amounts, 'smarter-devices/fuse': 20 };
    const promisedBy = (...live: TemplateContext['live']) =>
      build({}, { live }).promised.get('m5.large');
    expect(promisedBy(nodeWith({ allocatable: withFuse }))).toEqual(['smarter-devices/fuse']);
    expect(promisedBy(nodeWith({ allocatable: withFuse }), nodeWith({}, two))).toEqual([]);
    const young = nodeWith({ createdAtMs: now - minute }, two);
    expect(promisedBy(nodeWith({ allocatable: withFuse }), young)).toEqual([
      'smarter-devices/fuse',
    ]);
    expect(learned(nodeWith({ allocatable: withFuse }), young)).toEqual(withFuse);
  });

  it('promises the devices of the type, and none that a tag denies', () => {
    const gpu = { launchTemplate: { id: 'lt-g4', version: '1' } };
    expect(build(gpu).promised.get('g4dn.xlarge')).toEqual(['nvidia.com/gpu']);
    const tags = { [`${prefix}resources/nvidia.com/gpu`]: '0' };
    expect(build({ ...gpu, tags }).promised.get('g4dn.xlarge')).toEqual([]);
  });
});

describe('launch templates', () => {
  const versions = [
    launchTemplate('lt-v', { version: 1, isDefault: true, rootVolumeGiB: 10 }),
    launchTemplate('lt-v', { version: 3, isDefault: false, rootVolumeGiB: 30 }),
    launchTemplate('lt-v', { version: 2, isDefault: false, rootVolumeGiB: 20 }),
  ];
  const storage = (ref: { id?: string; name?: string; version: string }) =>
    build({ launchTemplate: ref }, { aws: { ...context.aws, launchTemplates: versions } })
      .templates[0]?.capacity['ephemeral-storage'];

  it('are found by number, default or latest, by id or name', () => {
    expect(storage({ id: 'lt-v', version: '2' })).toBe(20 * GiB);
    expect(storage({ id: 'lt-v', version: '$Default' })).toBe(10 * GiB);
    expect(storage({ name: 'lt-v-name', version: '$Latest' })).toBe(30 * GiB);
  });

  it('may be another for each override', () => {
    const { templates } = build({
      overrides: [
        override('m5.large'),
        { ...override('g4dn.xlarge'), launchTemplate: { id: 'lt-g4', version: '1' } },
      ],
    });
    expect(
      templates.map(({ capacity, instanceType: type }) => [type, capacity['ephemeral-storage']]),
    ).toEqual([
      ['g4dn.xlarge', 100 * GiB],
      ['m5.large', 20 * GiB],
    ]);
  });
});

describe('a group whose types are chosen by attributes', () => {
  const aws = {
    ...context.aws,
    typesByAttributes: [
      { group: 'others', types: ['g4dn.xlarge'] },
      { group: 'workers', types: ['m5.large', 'm5.xlarge'] },
    ],
  };
  const typesOf = (over: Parameters<typeof group>[1], more: object = {}) =>
    build(over, { aws: { ...aws, ...more } }).templates.map(({ instanceType: type }) => type);

  it('has a template for each type that AWS may launch', () => {
    const overrides = [{ byAttributes: true }];
    expect(typesOf({ overrides })).toEqual(['m5.large', 'm5.xlarge']);
  });

  it('may have its attributes in the launch template', () => {
    const { instanceType: _, ...typeless } = launchTemplate('lt-m5', { byAttributes: true });
    expect(typesOf({}, { launchTemplates: [typeless] })).toEqual(['m5.large', 'm5.xlarge']);
  });

  it('has those beside the types that other overrides name', () => {
    const overrides = [override('g4dn.xlarge'), { byAttributes: true }];
    expect(typesOf({ overrides })).toEqual(['g4dn.xlarge', 'm5.large', 'm5.xlarge']);
  });

  it('is blocked where one of them is not known', () => {
    const unknown = { typesByAttributes: [{ group: 'workers', types: ['x9.huge'] }] };
    const { blocked } = build(
      { overrides: [{ byAttributes: true }] },
      { aws: { ...aws, ...unknown } },
    );
    expect(blocked?.code).toBe('instanceTypeUnknown');
  });
});

describe('a group whose nodes cannot be foretold or raised is blocked', () => {
  it('without a launch template', () => {
    const { launchTemplate: _, ...bare } = group('workers');
    const plain = buildTemplates(bare, context);
    expect(plain.blocked?.code).toBe('noLaunchTemplate');
    const old = buildTemplates({ ...bare, launchConfigurationName: 'lc-1' }, context);
    expect(old.blocked).toMatchObject({
      code: 'noLaunchTemplate',
      message: 'it uses the launch configuration lc-1: move it to a launch template',
    });
  });

  it.each([
    [
      'an unknown version',
      { launchTemplate: { id: 'lt-m5', version: '9' } },
      'launchTemplateUnknown',
    ],
    ['no zone', { zones: [] }, 'noZone'],
    ['an unknown type', { overrides: [override('x9.huge')] }, 'instanceTypeUnknown'],
    [
      'types by attributes that nobody asked for',
      { overrides: [{ byAttributes: true }] },
      'instanceTypesNotAsked',
    ],
    ['sizes in vCPUs', { desiredCapacityType: 'vcpu' }, 'desiredCapacityType'],
    ['a malformed taint', { tags: { [`${prefix}taint/x`]: 'y' } }, 'malformedTaintTag'],
    ['a malformed amount', { tags: { [`${prefix}resources/cpu`]: 'y' } }, 'malformedResourceTag'],
  ])('with %s', (_, over, code) => {
    expect(blockedBy(over)).toEqual([code, 0]);
  });

  it('with a template that names attributes or no type at all', () => {
    const { instanceType: _, ...typeless } = launchTemplate('lt-m5');
    const aws = { ...context.aws, launchTemplates: [typeless] };
    expect(blockedBy({}, { aws })).toEqual(['noInstanceType', 0]);
    const byAttributes = { ...aws, launchTemplates: [{ ...typeless, byAttributes: true }] };
    expect(blockedBy({}, { aws: byAttributes })).toEqual(['instanceTypesNotAsked', 0]);
    const none = { ...byAttributes, typesByAttributes: [{ group: 'workers', types: [] }] };
    expect(blockedBy({}, { aws: none })).toEqual(['noInstanceType', 0]);
  });

  it('with unknown network limits where they decide', () => {
    const silent = instanceType('m5.large', { maxNetworkInterfaces: 0 });
    const aws = { ...context.aws, instanceTypes: [silent] };
    expect(blockedBy({}, { aws, clusterRunsVpcCni: true })).toEqual(['networkLimitsUnknown', 0]);
    expect(build({}, { aws }).blocked).toBeUndefined();
  });

  it('with Launch suspended, though its nodes are known; other processes do not matter', () => {
    expect(blockedBy({ suspendedProcesses: ['Launch'] })).toEqual(['launchSuspended', 1]);
    expect(build({ suspendedProcesses: ['AZRebalance', 'Terminate'] }).blocked).toBeUndefined();
  });

  it('not with weights', () => {
    const overrides = [override('m5.large'), { ...override('m5.xlarge'), weight: 2 }];
    expect(build({ overrides }).blocked).toBeUndefined();
  });
});

describe('matching Nodes with instances', () => {
  it('goes by the instance id alone, and only within the group', () => {
    const groups = [
      group('a', { instances: [instance('i-0aa')] }),
      group('b', { instances: [instance('i-0bb')] }),
    ];
    const nodes = [
      node('n-a', { providerId: 'aws:///wrong-zone/i-0aa' }),
      node('n-x', { providerId: 'aws:///us-east-1a/i-0cc' }),
      node('n-none'),
    ];
    const matched = matchNodes(groups, nodes);
    expect([...(matched.get('a')?.values() ?? [])].map((live) => live.node.name)).toEqual(['n-a']);
    expect(matched.get('b')?.size).toBe(0);
  });

  it('takes the newest of several Nodes of one instance', () => {
    const groups = [group('a', { instances: [instance('i-0aa')] })];
    const old = node('a-old', { providerId: 'aws:///z/i-0aa', createdAtMs: now - 2 });
    const young = node('b-young', { providerId: 'aws:///z/i-0aa', createdAtMs: now - 1 });
    for (const nodes of [
      [old, young],
      [young, old],
    ]) {
      expect(matchNodes(groups, nodes).get('a')?.get('i-0aa')?.node.name).toBe('b-young');
    }
  });

  it.each([
    ['aws:///us-east-1a/i-0123', 'i-0123'],
    ['aws://us-east-1a/i-0123', 'i-0123'],
    ['gce://p/z/i-0123', undefined],
    ['aws:///us-east-1a/fargate-1', undefined],
    ['i-0123', undefined],
    [undefined, undefined],
  ])('reads %s', (providerId, id) => {
    expect(instanceIdOf(providerId)).toBe(id);
  });
});
