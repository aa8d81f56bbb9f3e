import { describe, expect, it } from 'vitest';
import { play, scenarioOf } from '../helpers/play-example.ts';

/** Two groups alike, of which the first by name is taken first. */
const scenario = (first: string, more = '') =>
  scenarioOf(`title: Launches
lastsAtMost: 12h
groups:
  - name: a
    max: 5
    instanceTypes: [m5.large]
${first}
  - name: b
    max: 5
    instanceTypes: [m5.large]
workloads:
  - name: web
    replicas: 2
    at: 10s
    requests: { cpu: 700m }
${more}`);

const alone = (group: string, more = '') =>
  scenarioOf(`title: One group
lastsAtMost: 12h
groups:
  - name: a
    max: 5
    instanceTypes: [m5.large]
${group}
workloads:
  - name: web
    replicas: 2
    at: 10s
    requests: { cpu: 700m }
${more}`);

const asked = (told: (kind: 'asked') => readonly string[]) =>
  told('asked').map((line) => line.replace(': desired capacity', ''));

describe('a launch that EC2 has no capacity for', () => {
  const short = 'shortages: [{ group: a }]\n';

  it('has the pods planned on the next group at once, and the group taken back', async () => {
    const { told, summary } = await play(scenario('', short));
    const [raised, failedOver, takenBack] = asked(told);
    expect(raised).toBe('10.2 a 0 -> 1');
    expect([failedOver?.slice(5), takenBack?.slice(5)]).toEqual(['b 0 -> 1', 'a 1 -> 0']);
    const failedAt = Number(told('launchFailed')[0]?.split(' ')[0]);
    const plannedAt = Number(failedOver?.split(' ')[0]);
    expect(plannedAt - failedAt).toBeGreaterThan(0);
    expect(plannedAt - failedAt).toBeLessThan(1.5);
    expect(summary.pods).toMatchObject({ placed: 2, late: 0, lost: 0 });
  });

  it('is found by a sweep where no hint of it comes', async () => {
    const { told, summary } = await play(scenario('', `${short}lag: { hintsLost: true }\n`));
    expect(asked(told)).toEqual(['60.0 a 0 -> 1', '120.0 b 0 -> 1', '120.0 a 1 -> 0']);
    expect(summary.pods).toMatchObject({ placed: 2, lost: 0 });
  });

  it('has the group tried again after a back-off that doubles from 5 to 30 minutes', async () => {
    const { told } = await play(alone('', short));
    const raises = told('asked').flatMap((line) => {
      const [at, , , , from, , to] = line.split(' ');
      return Number(to) > Number(from) ? [Number(at)] : [];
    });
    const minutes = raises.slice(1).map((at, index) => (at - (raises[index] ?? 0)) / 60);
    // Each raise is the first sweep after a back-off that began some seconds after the raise before.
    for (const [index, backOff] of [5, 10, 20, 30, 30, 30].entries()) {
      expect(minutes[index]).toBeGreaterThan(backOff);
      expect(minutes[index]).toBeLessThan(backOff + 2);
    }
  });

  it('pages once when it goes on failing', async () => {
    const { told } = await play(alone('', short));
    const pages = told('paged');
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('a');
  });

  it('leaves no failure behind once there is capacity', async () => {
    const { told, summary } = await play(alone('', 'shortages: [{ group: a, until: 20m }]\n'));
    expect(summary.pods).toMatchObject({ placed: 2, lost: 0 });
    expect(told('end')[0]).toContain('every pod has run');
    expect(told('asked').at(-1)).toContain('0 -> 1');
  });
});

describe('a desired capacity that AWS cannot give', () => {
  it('stays where an instance is not protected, and no instance is lost', async () => {
    const { told, summary } = await play(
      scenario('    running: 1\n    protected: false', 'shortages: [{ group: a }]\n'),
    );
    const many = await play(
      scenarioOf(`title: More
lastsAtMost: 1h
groups:
  - name: a
    max: 5
    running: 1
    protected: false
    instanceTypes: [m5.large]
  - name: b
    max: 5
    instanceTypes: [m5.large]
    labels: { pool: unlike }
workloads:
  - name: web
    replicas: 5
    at: 10s
    requests: { cpu: 700m }
shortages: [{ group: a }]
`),
    );
    for (const { nodes } of [summary, many.summary]) expect(nodes.removed).toBe(0);
    expect(told('ended')).toEqual([]);
    const lowered = many.told('asked').filter((line) => line.includes(' a: '));
    expect(lowered.map((line) => line.slice(line.indexOf('capacity')))).toEqual([
      'capacity 1 -> 3',
    ]);
    expect(many.summary.pods.lost).toBe(0);
  });

  it('is taken back to the instances there are where all are protected, and none is lost', async () => {
    const { told, summary } = await play(
      scenarioOf(`title: Half
lastsAtMost: 1h
groups:
  - name: a
    max: 9
    running: 1
    instanceTypes: [m5.large]
  - name: b
    max: 9
    instanceTypes: [m5.large]
    labels: { pool: unlike }
workloads:
  - name: web
    replicas: 9
    at: 10s
    requests: { cpu: 700m }
shortages: [{ group: a, launches: 2 }]
`),
    );
    expect(told('asked')[0]).toBe('10.2 a: desired capacity 1 -> 5');
    const back = told('asked').find((line) => / a: .*5 -> /.test(line));
    expect(back).toMatch(/5 -> 3$/);
    expect(summary.nodes.removed).toBe(0);
    expect(summary.pods).toMatchObject({ placed: 9, lost: 0 });
  });

  it('is told when a launch succeeds after all', async () => {
    const { events, summary } = await play(
      scenario(
        '    protected: false',
        `  - name: later
    replicas: 1
    at: 10m
    requests: { cpu: 100m }
shortages: [{ group: a, until: 40s }]
`,
      ),
    );
    expect(summary.nodes).toMatchObject({ added: 2, removed: 0 });
    const told = events.flatMap(({ what, why }) => [what, ...why]).join('\n');
    expect(told).toContain('came up');
    expect(told).toContain('surplus');
  });
});

describe('an instance that does not come up', () => {
  const limit = 'policy: { scaling: { startLimit: 5m } }\n';

  it.each([
    ['neverRegister', 'neverRegistered'],
    ['neverReady', 'neverReady'],
  ])('(%s) backs its group off, and its pods go elsewhere', async (fault, code) => {
    const { told, events, summary } = await play(scenario(`    ${fault}: { share: 100% }`, limit));
    const raises = asked(told);
    expect(raises[0]).toBe('10.2 a 0 -> 1');
    expect(raises[1]).toMatch(/ b 0 -> 1$/);
    const seconds = Number(raises[1]?.split(' ')[0]);
    expect(seconds).toBeGreaterThan(300);
    expect(seconds).toBeLessThan(450);
    expect(events.find(({ kind }) => kind === 'blocked')?.why.join()).toContain(code);
    expect(summary.pods).toMatchObject({ placed: 2, lost: 0 });
    expect(summary.nodes.removed).toBe(0);
  });

  const gpu = (first: string) =>
    scenarioOf(`title: Devices
lastsAtMost: 2h
policy: { scaling: { startLimit: 5m } }
groups:
  - name: a
    max: 3
    instanceTypes: [g4dn.xlarge]
${first}
  - name: b
    max: 3
    instanceTypes: [g4dn.xlarge]
workloads:
  - name: train
    replicas: 1
    at: 10s
    requests: { cpu: "1", nvidia.com/gpu: 1 }
`);

  it('is waited for while its devices are late, and nothing else is raised', async () => {
    const { told, summary } = await play(gpu('    devices: 2m'));
    expect(asked(told)).toEqual(['10.2 a 0 -> 1']);
    expect(summary.pods).toMatchObject({ placed: 1, lost: 0 });
  });

  it("is waited for as long as its group's tag says, longer than the cluster's start limit", async () => {
    const tag = 'k8s.io/cluster-autoscaler/node-template/autoscaling-options/maxnodeprovisiontime';
    const { told, summary } = await play(gpu(`    devices: 8m\n    tags: { ${tag}: 15m0s }`));
    expect(asked(told)).toEqual(['10.2 a 0 -> 1']);
    expect(summary.pods).toMatchObject({ placed: 1, lost: 0 });
    const hasty = await play(gpu('    devices: 8m'));
    expect(asked(hasty.told)).toHaveLength(2);
  });

  it('backs its group off where its devices never appear, and its pods go elsewhere', async () => {
    const { told, events, summary } = await play(gpu('    neverDevices: { share: 100% }'));
    expect(asked(told).map((line) => line.replace(/^\S+ /, ''))).toEqual(['a 0 -> 1', 'b 0 -> 1']);
    expect(events.find(({ kind }) => kind === 'blocked')?.why.join()).toContain('resourcesMissing');
    expect(summary.pods).toMatchObject({ placed: 1, lost: 0 });
  });

  it('does not have a group raised for ever whose nodes never register', async () => {
    const { told, summary } = await play(alone('    neverRegister: { share: 100% }', limit));
    // Each raise adds one, up to the group's maximum, with ever longer pauses.
    expect(told('asked').length).toBeLessThanOrEqual(5);
    expect(told('paged').length).toBeGreaterThan(0);
    expect(summary.pods).toMatchObject({ placed: 0, lost: 2 });
  });
});

describe('instances that crash while they boot', () => {
  const crashing = '    crashes: { share: 100% }';

  it.each([
    ['protected', '', 'a 1 -> 0'],
    ['open to scale-in', '\n    protected: false', undefined],
  ])('back their group off, and their pods go elsewhere (%s)', async (_, more, takenBack) => {
    const { told, events, summary } = await play(scenario(crashing + more));
    const acts = asked(told).map((line) => line.replace(/^\S+ /, ''));
    expect(acts).toEqual(['a 0 -> 1', 'b 0 -> 1', ...(takenBack === undefined ? [] : [takenBack])]);
    // Two sweeps see one of them end, and one more its replacement.
    expect(Number(asked(told)[1]?.split(' ')[0])).toBeLessThanOrEqual(240);
    expect(events.find(({ kind }) => kind === 'blocked')?.why.join()).toContain(
      'endedWhileStarting',
    );
    expect(summary.pods).toMatchObject({ placed: 2, lost: 0 });
    expect(summary.nodes.removed).toBe(0);
  });

  it.each([
    ['protected', ''],
    ['open to scale-in', '\n    protected: false'],
  ])('have it tried again ever later, and page once (%s)', async (_, more) => {
    const { told, events, summary } = await play(alone(crashing + more));
    const backOffs = events
      .flatMap(({ kind, why }) => (kind === 'blocked' ? why : []))
      .flatMap((why) => {
        const [, until, last] =
          /left alone until (\S+) after .*? the last at (\S+) \(endedWhileStarting/.exec(why) ?? [];
        return until === undefined || last === undefined
          ? []
          : [(Date.parse(until) - Date.parse(last)) / 60_000];
      });
    expect([...new Set(backOffs)]).toEqual([5, 10, 20, 30]);
    expect(told('paged')).toHaveLength(1);
    expect(summary.pods).toMatchObject({ placed: 0, lost: 2 });
  });

  it('hold up nothing once their replacement comes up', async () => {
    const { told, summary } = await play(alone('    crashes: { first: 4 }'));
    expect(told('ended').length).toBe(4);
    expect(summary.pods).toMatchObject({ placed: 2, lost: 0 });
    expect(told('paged')).toEqual([]);
    expect(told('end')[0]).toContain('every pod has run');
  });
});

describe('a pod that launches do not help', () => {
  /** The group's tags promise a label that its nodes do not get. */
  const promised = scenarioOf(`title: A label that never comes
lastsAtMost: 4h
groups:
  - name: a
    max: 9
    instanceTypes: [m5.large]
    tags: { k8s.io/cluster-autoscaler/node-template/label/disk: fast }
workloads:
  - name: web
    replicas: 1
    at: 10s
    requests: { cpu: 700m }
    nodeSelector: { disk: fast }
`);

  it('causes three of them, no more, and pages somebody once', async () => {
    const { told, events, summary } = await play(promised);
    expect(told('asked')).toHaveLength(3);
    expect(summary.nodes.added).toBe(3);
    expect(told('paged')).toHaveLength(1);
    expect(told('paged')[0]).toContain('default/web-1');
    const stuck = events.filter(({ kind }) => kind === 'stuck').at(-1);
    expect(stuck?.why.join()).toContain('launchesPerPod');
  });
});

describe('a pod whose room on a coming node larger pods take', () => {
  it('waits for its own node, however many are asked for before the first one comes', async () => {
    const { told, events, summary } = await play(
      scenarioOf(`title: A small pod among large ones
lastsAtMost: 1h
groups:
  - name: a
    max: 20
    instanceTypes: [m5.large]
workloads:
  - name: small
    replicas: 1
    at: 10s
    requests: { cpu: 300m }
  - name: large
    replicas: 8
    every: 2s
    at: 12s
    requests: { cpu: 1700m }
`),
    );
    expect(told('asked').length).toBeGreaterThan(4);
    expect(Number(told('asked')[4]?.split(' ')[0])).toBeLessThan(
      Number(told('ready')[0]?.split(' ')[0]),
    );
    expect(events.filter(({ kind }) => kind === 'stuck')).toEqual([]);
    expect(summary.pods).toMatchObject({ placed: 9, lost: 0 });
    expect(summary.nodes.added).toBe(9);
  });
});

describe('calls that AWS throttles', () => {
  it.each(['describeGroups', 'readCapacity', 'setDesiredCapacity', 'describeActivities'])(
    '(%s) back no group off: the look is taken again',
    async (call) => {
      const { told, summary } = await play(
        alone('', `throttles: [{ call: ${call}, limit: 0, per: 50s }]\nlag: { hint: 1s }\n`),
      );
      expect(told('blocked').filter((line) => line.includes('cannot be used'))).toEqual([]);
      expect(summary.nodes.failed).toBe(0);
    },
  );

  it('leave the launches of a group unknown, which holds up no pod', async () => {
    const throttled = 'throttles: [{ call: describeActivities, limit: 0, per: 12h }]\n';
    const { told, summary } = await play(
      scenario(
        '',
        `${throttled}shortages: [{ group: a }]\npolicy: { scaling: { startLimit: 5m } }\n`,
      ),
    );
    expect(asked(told).map((line) => line.replace(/^\S+ /, ''))).toContain('b 0 -> 1');
    expect(summary.pods).toMatchObject({ placed: 2, lost: 0 });
  });
});
