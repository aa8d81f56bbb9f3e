import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readScenario } from '#config/scenario.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';

const smallest = `title: Small
groups:
  - name: general
    max: 3
    instanceTypes: [m5.large]
workloads:
  - name: web
    replicas: 2
`;

const readValue = (text: string) => {
  const checked = readScenario(text, 's.yaml');
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.value;
};

const problemsOf = (text: string) => {
  const checked = readScenario(text, 's.yaml');
  return 'problems' in checked
    ? checked.problems.map(({ file, field, message }) => `${file} ${field}: ${message}`)
    : [];
};

describe('a scenario file', () => {
  it('needs a title, a group and a workload, and has defaults for the rest', () => {
    const { title, world, policy, limitMs } = readValue(smallest);
    expect(title).toBe('Small');
    expect(world).toMatchObject({ seed: 1, cluster: 'demo', region: 'us-east-1' });
    expect(world.groups[0]).toMatchObject({ min: 0, max: 3, desired: 0, zones: ['us-east-1a'] });
    expect(world.workloads[0]).toMatchObject({ namespace: 'default', name: 'web', atMs: 0 });
    expect(policy).toEqual({ ...defaultScalingPolicy, mode: 'act' });
    expect(limitMs).toBe(1_800_000);
  });

  it('says what may go wrong with instances, and which are protected from scale-in', () => {
    const group = (more: string) =>
      readValue(smallest.replace('    max: 3\n', `    max: 3\n${more}`)).world.groups[0];
    const none = { first: 0, perMille: 0 };
    expect(group('')).toMatchObject({
      devices: { fromMs: 0, toMs: 0 },
      newInstancesProtected: true,
      runningProtected: true,
      neverRegister: none,
      neverReady: none,
      neverDevices: none,
      crashes: none,
    });
    expect(
      group('    devices: 2m\n    neverReady: { first: 2 }\n    crashes: { share: 5% }\n'),
    ).toMatchObject({
      devices: { fromMs: 120_000, toMs: 120_000 },
      neverReady: { first: 2, perMille: 0 },
      crashes: { first: 0, perMille: 50 },
    });
    expect(group('    protected: false\n')).toMatchObject({
      newInstancesProtected: false,
      runningProtected: false,
    });
    expect(group('    protected: { new: true, running: false }\n')).toMatchObject({
      newInstancesProtected: true,
      runningProtected: false,
    });
    expect(problemsOf(smallest.replace('max: 3', 'max: 3\n    protected: maybe'))[0]).toContain(
      'write true, false, or new: and running:',
    );
  });

  it('keeps the mode that it names', () => {
    expect(readValue(`${smallest}policy: { mode: observe }\n`).policy.mode).toBe('observe');
  });

  it('reads amounts exactly, durations, taints and demands', () => {
    const { world } = readValue(`title: Full
groups:
  - name: batch
    min: 1
    max: 3
    running: 2
    instanceTypes: [c5.xlarge, c6i.xlarge]
    taints: ["dedicated=batch:NoSchedule"]
    boot: { from: 30s, to: 1m30s }
    ready: 5s
    neverRegister: { first: 1, share: 5% }
workloads:
  - name: data/etl
    kind: Job
    replicas: 2
    at: 1m
    requests: { cpu: 0.1, memory: 1.5Gi, nvidia.com/gpu: 1 }
    nodeAffinity:
      - [{ key: pool, operator: In, values: [a, b] }]
    tolerations: [{ key: dedicated, operator: Exists }]
    hostPorts: [8080]
    runsFor: 5m
`);
    expect(world.groups[0]).toMatchObject({
      desired: 2,
      taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }],
      boot: { fromMs: 30_000, toMs: 90_000 },
      ready: { fromMs: 5_000, toMs: 5_000 },
      neverRegister: { first: 1, perMille: 50 },
    });
    expect(world.workloads[0]).toMatchObject({
      namespace: 'data',
      atMs: 60_000,
      runsFor: { fromMs: 300_000, toMs: 300_000 },
      constraints: {
        requests: { cpu: 100, memory: 1_610_612_736, 'nvidia.com/gpu': 1 },
        requiredNodeAffinity: [
          { matchExpressions: [{ key: 'pool', operator: 'In', values: ['a', 'b'] }] },
        ],
        tolerations: [{ key: 'dedicated', operator: 'Exists' }],
        hostPorts: [{ protocol: 'TCP', hostIp: '0.0.0.0', port: 8080 }],
      },
    });
  });

  it.each([
    ['max: 3', 'max: three', 's.yaml:4 groups[0].max: is "three", not a number'],
    ['m5.large', 'm5.larg', 's.yaml:5 groups[0].instanceTypes[0]: is "m5.larg", a type that'],
    ['    replicas: 2\n', '', 's.yaml:7 workloads[0].replicas: missing: give a number'],
    [
      'replicas: 2',
      'replica: 2',
      's.yaml:8 workloads[0].replica: unknown key "replica": did you mean replicas?',
    ],
    [
      'name: web',
      'name: Web!',
      's.yaml:7 workloads[0].name: is "Web!": write name or namespace/name',
    ],
    [
      'max: 3',
      'max: 3\n    min: 5',
      's.yaml:5 groups[0].min: is 5, above max 3: lower it or raise max',
    ],
    ['max: 3', 'max: 3\n    running: 5', 's.yaml:5 groups[0].running: is 5, above max 3: lower it'],
    [
      'max: 3',
      'max: 3\n    boot: 30',
      's.yaml:5 groups[0].boot: write a duration such as 20s, or from',
    ],
    [
      'max: 3',
      'max: 3\n    boot: { from: 5s, to: 2s }',
      's.yaml:5 groups[0].boot.to: is shorter than from',
    ],
    [
      'replicas: 2',
      'replicas: 2\n    requests: { cpu: 1x }',
      's.yaml:9 workloads[0].requests.cpu: is "1x": write a',
    ],
    [
      'title: Small',
      'title: "Sm\\ell"',
      's.yaml:1 title: is "Sm\\u001bll": has control characters',
    ],
    [
      'title: Small',
      'title: Small\nshortages: [{ group: other }]',
      's.yaml:2 shortages[0].group: there is no group other: use one of general',
    ],
    [
      'title: Small',
      'title: Small\nshortages: [{ zone: mars-1a }]',
      's.yaml:2 shortages[0].zone: no group is in mars-1a: use one of us-east-1a',
    ],
    [
      'title: Small',
      'title: Small\nshortages: [{ from: 2m, until: 1m }]',
      's.yaml:2 shortages[0].until: is not after from',
    ],
    [
      'title: Small',
      'title: Small\nthrottles: [{ call: listCluster, limit: 1, per: 0s }]',
      's.yaml:2 throttles[0].per: is no time at all',
    ],
    [
      'title: Small',
      'title: Small\ncluster: a/b',
      's.yaml:2 cluster: is "a/b": use letters, digits',
    ],
  ])('says line, field and remedy where %j became %j', (from, to, expected) => {
    const problems = problemsOf(smallest.replace(from, to));
    expect(problems.some((problem) => problem.startsWith(expected))).toBe(true);
  });

  it('finds names that repeat', () => {
    const twice = smallest.replace(
      'workloads:',
      '  - name: general\n    max: 1\n    instanceTypes: [m5.large]\nworkloads:',
    );
    expect(problemsOf(twice)).toEqual([
      's.yaml:6 groups[1].name: there is another general: rename one',
    ]);
  });

  it('tells all faults at once, and never throws on what is no scenario', () => {
    expect(problemsOf('title: 1\ngroups: []\nworkloads: none\n')).toHaveLength(3);
    for (const text of ['', '[]', 'x', '"', 'a: &a [*a]', '\u0000']) {
      expect(problemsOf(text).length).toBeGreaterThan(0);
    }
  });
});

describe('the examples', () => {
  const folder = new URL('../../../examples/', import.meta.url);
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.yaml') && name !== 'outrider.yaml',
  );

  it.each(files)('%s is a scenario', (name) => {
    expect(readScenario(readFileSync(new URL(name, folder), 'utf8'), name)).toHaveProperty('value');
  });
});
