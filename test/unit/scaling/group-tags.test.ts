import { describe, expect, it } from 'vitest';
import { belongsToCluster, defaultDiscoveryTags } from '#scaling/discovery.ts';
import { matchesGlob } from '#scaling/glob.ts';
import { readGroupTags } from '#scaling/group-tags.ts';

const prefix = 'k8s.io/cluster-autoscaler/node-template/';
const read = (tags: Record<string, string>) => readGroupTags({ name: 'workers', tags });

describe('discovery', () => {
  const wanted = defaultDiscoveryTags('demo');

  it('wants every tag, whatever its value where none is asked for', () => {
    const tags = {
      'k8s.io/cluster-autoscaler/enabled': 'true',
      'k8s.io/cluster-autoscaler/demo': 'owned',
    };
    expect(belongsToCluster({ tags }, wanted)).toBe(true);
    expect(
      belongsToCluster({ tags: { 'k8s.io/cluster-autoscaler/enabled': 'true' } }, wanted),
    ).toBe(false);
  });

  it('compares the value where one is asked for', () => {
    expect(belongsToCluster({ tags: { team: 'red' } }, { team: 'red' })).toBe(true);
    expect(belongsToCluster({ tags: { team: 'blue' } }, { team: 'red' })).toBe(false);
  });

  it('never takes a group for asking nothing, nor a property every object has for a tag', () => {
    expect(belongsToCluster({ tags: { a: 'b' } }, {})).toBe(false);
    expect(belongsToCluster({ tags: {} }, { constructor: '' })).toBe(false);
  });
});

describe('node-template tags', () => {
  it('give labels with their full key', () => {
    expect(
      read({ [`${prefix}label/team.example.com/pool`]: 'red', [`${prefix}label/size`]: '' }).labels,
    ).toEqual({ 'team.example.com/pool': 'red', size: '' });
  });

  it('give taints of all three effects, with and without a value', () => {
    expect(
      read({
        [`${prefix}taint/a.example.com/x`]: 'true:NoSchedule',
        [`${prefix}taint/b`]: ':NoExecute',
        [`${prefix}taint/c`]: 'v:PreferNoSchedule',
      }).taints,
    ).toEqual([
      { key: 'a.example.com/x', value: 'true', effect: 'NoSchedule' },
      { key: 'b', value: '', effect: 'NoExecute' },
      { key: 'c', value: 'v', effect: 'PreferNoSchedule' },
    ]);
  });

  it('give any resource as an exact quantity', () => {
    expect(
      read({
        [`${prefix}resources/cpu`]: '1500m',
        [`${prefix}resources/memory`]: '1.5Gi',
        [`${prefix}resources/vpc.amazonaws.com/pod-eni`]: '9',
      }).resources,
    ).toEqual({ cpu: 1500, memory: 1_610_612_736, 'vpc.amazonaws.com/pod-eni': 9 });
  });

  const options = (given: Record<string, string>) =>
    read(
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          `${prefix}autoscaling-options/${name}`,
          value,
        ]),
      ),
    );

  it("give the options of Cluster Autoscaler, whatever the case of the name's letters", () => {
    const { options: given, problems } = options({
      scaledownutilizationthreshold: '0.655',
      scaledowngpuutilizationthreshold: '1',
      scaleDownUnneededTime: '5m0s',
      scaledownunreadytime: '1h2m3s',
      ignoredaemonsetsutilization: 'true',
      maxnodeprovisiontime: '20m',
      maxnodestartuptime: '90s',
    });
    expect(problems).toEqual([]);
    expect(given).toEqual({
      scaleDownUtilizationPerMille: 655,
      scaleDownGpuUtilizationPerMille: 1000,
      scaleDownUnneededSeconds: 300,
      scaleDownUnreadySeconds: 3723,
      ignoreDaemonSetsUtilization: true,
      maxNodeProvisionSeconds: 1200,
      maxNodeStartupSeconds: 90,
    });
  });

  it('name an option that nobody knows, and those that are known', () => {
    const { options: given, problems, unusable } = options({ scaledownuneededtime: '5m' });
    expect(given).toEqual({});
    expect(unusable).toBeUndefined();
    expect(problems).toMatchObject([
      {
        field: `AutoScalingGroups[workers].Tags[${prefix}autoscaling-options/scaledownuneededtime]`,
        code: 'unknownOptionTag',
        message: expect.stringContaining('scaledownunneededtime, scaledownunreadytime'),
      },
    ]);
  });

  it.each([
    ['maxnodeprovisiontime', '15'],
    ['maxnodeprovisiontime', ''],
    ['maxnodestartuptime', '-5m'],
    ['scaledownutilizationthreshold', '1.5'],
    ['scaledownutilizationthreshold', '50%'],
    ['ignoredaemonsetsutilization', 'yes'],
  ])('leave out the option %s with the value %j, and say how it is written', (name, value) => {
    const { options: given, problems } = options({ [name]: value });
    expect(given).toEqual({});
    expect(problems.map(({ code }) => code)).toEqual(['malformedOptionTag']);
    expect(problems[0]?.message).toMatch(/write for example \S+$/);
  });

  it.each(['NoSchedule', 'true', 'true:', 'true:Sometimes', 'a b:NoSchedule', ''])(
    'make the group unusable with the taint %j, naming group, tag and remedy',
    (value) => {
      const { taints, unusable, problems } = read({ [`${prefix}taint/x`]: value });
      expect(taints).toEqual([]);
      expect(problems).toEqual([unusable]);
      expect(unusable).toMatchObject({
        field: `AutoScalingGroups[workers].Tags[${prefix}taint/x]`,
        code: 'malformedTaintTag',
      });
      expect(unusable?.message).toContain('group workers');
      expect(unusable?.message).toContain('true:NoSchedule');
    },
  );

  it.each(['much', '', '-1', '1 Gi'])('make the group unusable with the amount %j', (value) => {
    const { unusable, resources } = read({ [`${prefix}resources/memory`]: value });
    expect(unusable?.code).toBe('malformedResourceTag');
    expect(resources).toEqual({});
  });

  it('leave out a label that no node could carry, and say so', () => {
    const { labels, problems, unusable } = read({ [`${prefix}label/x`]: 'not a label' });
    expect(labels).toEqual({});
    expect(problems.map(({ code }) => code)).toEqual(['malformedLabelTag']);
    expect(unusable).toBeUndefined();
  });

  it('are not mistaken for others', () => {
    expect(read({ 'k8s.io/cluster-autoscaler/enabled': '', Name: 'x' })).toEqual({
      labels: {},
      taints: [],
      resources: {},
      options: {},
      problems: [],
    });
  });
});

describe('patterns of group names', () => {
  it.each([
    ['workers', 'workers', true],
    ['workers', 'workers-a', false],
    ['*', '', true],
    ['workers-*', 'workers-', true],
    ['*-gpu', 'big-gpu', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'a1c2b', false],
    ['ab*ba', 'aba', false],
    ['*.x', 'yx', false],
  ])('%s against %s: %s', (pattern, name, expected) => {
    expect(matchesGlob(pattern, name)).toBe(expected);
  });
});
