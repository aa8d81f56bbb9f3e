import { describe, expect, it } from 'vitest';
import type { Problem } from '#cluster/problem.ts';
import type { Configuration } from '#config/configuration.ts';
import { readConfiguration } from '#config/read-configuration.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';

const accepted = (text: string): Configuration => {
  const read = readConfiguration(text, 'outrider.yaml');
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.configuration;
};

const refused = (text: string): readonly Problem[] => {
  const read = readConfiguration(text, 'outrider.yaml');
  return 'problems' in read ? read.problems : [];
};

const withCluster = (lines: string): string => `clusters:\n  - name: prod\n${lines}`;

describe('a cluster of which only the name is given', () => {
  const [cluster] = accepted('clusters:\n  - name: prod\n').clusters;

  it('observes, with the default policy', () => {
    expect(cluster?.policy).toEqual(defaultScalingPolicy);
    expect(cluster?.policy.mode).toBe('observe');
  });

  it('is found by the two tags of Cluster Autoscaler', () => {
    expect(cluster?.discoveryTags).toEqual({
      'k8s.io/cluster-autoscaler/enabled': '',
      'k8s.io/cluster-autoscaler/prod': '',
    });
  });

  it('has its secret under its name, in the network that exists without being named', () => {
    expect(cluster?.apiSecret).toBe('outrider/prod');
    expect(cluster?.network).toBe('default');
    expect(accepted('clusters:\n  - name: prod\n').networks).toEqual([{ name: 'default' }]);
  });
});

describe('the network of a cluster that names none', () => {
  it('is the only one, or the one called default', () => {
    const only = accepted('networks: [{name: x}]\nclusters: [{name: a}]\n');
    expect(only.clusters[0]?.network).toBe('x');
    const several = 'networks: [{name: x}, {name: default}]\nclusters: [{name: a}]\n';
    expect(accepted(several).clusters[0]?.network).toBe('default');
    expect(refused('networks: [{name: x}, {name: y}]\nclusters: [{name: a}]\n')[0]).toMatchObject({
      field: 'clusters[0].network',
    });
  });
});

describe('a full configuration', () => {
  const configuration = accepted(`
networks:
  - name: main
    vpc:
      vpcId: vpc-0a1b2c3d
      subnetIds: [subnet-0a1b2c3d, subnet-0a1b2c3e]
      securityGroupIds: [sg-0a1b2c3d]
clusters:
  - name: prod
    network: main
    apiSecret: secrets/prod
    discoveryTags:
      owner: team-a
      fleet:
    mode: act
    scaling:
      priorityCutoff: 0
      startLimit: 1h30m
      maxNodesPerDecision: 5
      expander: least-waste
      startupTaints: [example.com/warming]
    kubelet:
      maxPods: eni
      kubeReserved: { cpu: 100m, memory: 500Mi }
      systemReserved: { ephemeral-storage: 1Gi }
      evictionHard: { memory.available: 200Mi, nodefs.available: 7.5% }
      vmMemoryOverhead: 4%
    groups:
      - match: gpu-*
        mode: observe
        labels: { pool: gpu }
        taints: ['nvidia.com/gpu=present:NoSchedule', 'spot:NoExecute']
        resources: { nvidia.com/gpu: 4, cpu: 1500m }
        startLimit: 25m
        kubelet: { maxPods: 30, instanceStorePolicy: RAID0 }
`);
  const cluster = configuration.clusters[0];

  it('keeps networks and how to reach the cluster', () => {
    expect(configuration.networks[0]).toEqual({
      name: 'main',
      vpc: {
        vpcId: 'vpc-0a1b2c3d',
        subnetIds: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'],
        securityGroupIds: ['sg-0a1b2c3d'],
      },
    });
    expect(cluster).toMatchObject({ network: 'main', apiSecret: 'secrets/prod' });
    expect(cluster?.discoveryTags).toEqual({ owner: 'team-a', fleet: '' });
  });

  it('converts durations, quantities and percentages exactly', () => {
    expect(cluster?.policy).toMatchObject({
      mode: 'act',
      priorityCutoff: 0,
      startLimitSeconds: 5400,
      maxNodesPerDecision: 5,
      startupTaints: ['example.com/warming'],
    });
    expect(cluster?.policy.kubelet).toEqual({
      maxPods: 'eni',
      kubeReserved: { milliCpu: 100, memoryBytes: 500 * 1024 ** 2, ephemeralStorageBytes: 0 },
      systemReserved: { milliCpu: 0, memoryBytes: 0, ephemeralStorageBytes: 1024 ** 3 },
      evictionHardMemoryBytes: 200 * 1024 ** 2,
      evictionHardNodefsPerMille: 75,
      vmMemoryOverheadPerMille: 40,
    });
  });

  it('gives a group only what it names', () => {
    expect(cluster?.policy.groups).toEqual([
      {
        match: 'gpu-*',
        mode: 'observe',
        labels: { pool: 'gpu' },
        taints: [
          { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
          { key: 'spot', value: '', effect: 'NoExecute' },
        ],
        resources: { 'nvidia.com/gpu': 4, cpu: 1500 },
        startLimitSeconds: 1500,
        kubelet: { maxPods: 30, instanceStorePolicy: 'RAID0' },
      },
    ]);
  });
});

describe('a fault', () => {
  const cases: readonly [string, string, Partial<Problem>, RegExp][] = [
    [
      'an unknown key names the one that was meant',
      withCluster('    scalign: {}\n'),
      { file: 'outrider.yaml:3', field: 'clusters[0].scalign', code: 'unknownKey' },
      /did you mean scaling\?/,
    ],
    [
      'an unknown key that resembles none lists what is known',
      withCluster('    mode: act\n    colour: red\n'),
      { file: 'outrider.yaml:4', code: 'unknownKey' },
      /known here are name, network/,
    ],
    [
      'a duration without a unit',
      withCluster('    scaling:\n      startLimit: 15\n'),
      { file: 'outrider.yaml:4', field: 'clusters[0].scaling.startLimit', code: 'invalid' },
      /is 15: write a duration with its unit/,
    ],
    [
      'an unknown key close to two names the closer one',
      withCluster('    modee: act\n    network: default\n'),
      { field: 'clusters[0].modee' },
      /did you mean mode\?/,
    ],
    [
      'a reservation below nothing',
      withCluster('    kubelet:\n      systemReserved: {cpu: -1}\n'),
      { field: 'clusters[0].kubelet.systemReserved.cpu' },
      /is -1: write an amount of CPU/,
    ],
    [
      'a quantity that does not parse, inside a union',
      withCluster('    kubelet:\n      kubeReserved:\n        cpu: 100q\n'),
      { file: 'outrider.yaml:5', field: 'clusters[0].kubelet.kubeReserved.cpu' },
      /"100q".*100m/,
    ],
    [
      'a value outside a choice',
      withCluster('    mode: aggressive\n'),
      { file: 'outrider.yaml:3', field: 'clusters[0].mode' },
      /"aggressive": use observe or act/,
    ],
    [
      'a missing name',
      'clusters:\n  - mode: act\n',
      { file: 'outrider.yaml:2', field: 'clusters[0].name', code: 'missing' },
      /missing: give a string/,
    ],
    [
      'a name taken twice',
      'clusters:\n  - name: a\n  - name: b\n  - name: a\n',
      { file: 'outrider.yaml:4', field: 'clusters[2].name' },
      /taken by clusters\[0\]/,
    ],
    [
      'a network that nobody names',
      'networks:\n  - name: x\nclusters:\n  - name: a\n    network: y\n',
      { file: 'outrider.yaml:5', field: 'clusters[0].network' },
      /is y, .* x$/,
    ],
    [
      'two clusters that would share groups',
      'clusters:\n  - name: a\n    discoveryTags: {t: v}\n  - name: b\n    discoveryTags: {t: v}\n',
      { file: 'outrider.yaml:5', field: 'clusters[1].discoveryTags' },
      /are those of a/,
    ],
    [
      'no discovery tag at all',
      withCluster('    discoveryTags: {}\n'),
      { file: 'outrider.yaml:3', field: 'clusters[0].discoveryTags' },
      /every group of the account/,
    ],
    [
      'a label that YAML reads as a boolean',
      withCluster('    groups:\n      - match: a\n        labels:\n          gpu: true\n'),
      { file: 'outrider.yaml:6', field: 'clusters[0].groups[0].labels.gpu' },
      /not a string: put it in quotes/,
    ],
    [
      'a malformed taint',
      withCluster('    groups:\n      - match: a\n        taints:\n          - gpu=yes\n'),
      { file: 'outrider.yaml:6', field: 'clusters[0].groups[0].taints[0]' },
      /key=value:NoSchedule/,
    ],
    [
      'a name that is no DNS name',
      'clusters:\n  - name: My_Cluster\n',
      { file: 'outrider.yaml:2', field: 'clusters[0].name' },
      /lower case letters/,
    ],
    [
      'a fault behind an anchor is found where it is written',
      'clusters:\n  - &a\n    name: x\n    mode: acts\n',
      { file: 'outrider.yaml:4', field: 'clusters[0].mode' },
      /observe or act/,
    ],
    [
      'a key written twice',
      withCluster('    mode: act\n    mode: observe\n'),
      { file: 'outrider.yaml:4', code: 'duplicateKey' },
      /unique/,
    ],
    ['YAML that is none', 'clusters: [\n', { code: 'notYaml' }, /./],
    ['two documents', 'clusters: []\n---\nclusters: []\n', { code: 'notYaml' }, /document/],
    ['an unknown tag', 'clusters: !Ref x\n', { file: 'outrider.yaml:1', code: 'notYaml' }, /tag/],
    ['an empty file', '# nothing\n', { code: 'empty' }, /says nothing/],
    ['a list instead of a map', '- a\n', { file: 'outrider.yaml:1' }, /is a list, not a map/],
  ];
  it.each(cases)('%s', (_, text, expected, message) => {
    const problems = refused(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject(expected);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.message).not.toContain('\n');
  });

  it('does not hide the next one', () => {
    const problems = refused(withCluster('    mode: no\n    scaling:\n      startLimit: soon\n'));
    expect(problems.map(({ file }) => file)).toEqual(['outrider.yaml:3', 'outrider.yaml:5']);
  });
});

describe('a text made to hurt', () => {
  it('is refused when it is an alias bomb', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
        : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]`,
    );
    expect(refused(levels.join('\n'))[0]).toMatchObject({ code: 'notYaml' });
  });

  it('is refused when it is nested without end, or too long', () => {
    expect(refused('['.repeat(100_000))).not.toHaveLength(0);
    expect(refused(`# ${'x'.repeat(2_000_000)}`)[0]).toMatchObject({ code: 'tooLarge' });
  });

  it('leaves prototypes alone', () => {
    refused('__proto__:\n  polluted: yes\n');
    accepted(withCluster('    discoveryTags:\n      __proto__: x\n      a: b\n'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
