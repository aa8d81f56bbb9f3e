import { describe, expect, it } from 'vitest';
import { play, scenarioOf } from '../helpers/play-example.ts';

const scenario = (more = '') =>
  scenarioOf(`title: Pipeline
groups:
  - name: general
    max: 3
    instanceTypes: [m5.large]
workloads:
  - name: web
    replicas: 2
    at: 10s
    requests: { cpu: 500m }
${more}`);

describe('hints and sweeps', () => {
  it('reach the same decision: by a hint at once, without hints at the next sweep', async () => {
    const hinted = await play(scenario());
    const swept = await play(scenario('lag: { hintsLost: true }\n'));
    expect(hinted.told('decision')).toEqual(['10.2 raise general from 0 to 1 for 2 pods']);
    expect(swept.told('decision')).toEqual(['60.0 raise general from 0 to 1 for 2 pods']);
    expect(swept.summary.nodes.added).toBe(1);
  });

  it('take as long as a hint travels', async () => {
    const { told } = await play(scenario('lag: { hint: 7s }\n'));
    expect(told('asked')).toEqual(['17.2 general: desired capacity 0 -> 1']);
  });

  it('raise once however old the lists are', async () => {
    const stale = 'lag: { clusterStale: 90s, groupsStale: 90s }\n';
    const { summary, told } = await play(scenario(stale));
    expect(told('asked')).toHaveLength(1);
    expect(summary.nodes.added).toBe(1);
  });
});

describe('a decision that may not add all nodes at once', () => {
  it('goes on two seconds later, by a message of its own', async () => {
    const { told, summary } = await play(
      scenarioOf(`title: In parts
policy: { scaling: { maxNodesPerDecision: 2 } }
groups:
  - { name: general, max: 9, instanceTypes: [m5.large] }
workloads:
  - { name: web, replicas: 5, at: 10s, requests: { cpu: 1500m } }
`),
    );
    expect(told('asked')).toEqual([
      '10.2 general: desired capacity 0 -> 2',
      '12.2 general: desired capacity 2 -> 4',
      '14.2 general: desired capacity 4 -> 5',
    ]);
    expect(summary.pods).toMatchObject({ placed: 5, lost: 0 });
  });
});

describe('mode observe', () => {
  it('says what it would do, and raises nothing', async () => {
    const { events, summary, told } = await play(scenario('policy: { mode: observe }\n'));
    const [decision] = events.filter(({ kind }) => kind === 'decision');
    expect(decision?.what).toBe('would raise general from 0 to 1 for 2 pods');
    expect(decision?.why.at(-1)).toBe('mode observe: nothing is done');
    expect(told('asked')).toEqual([]);
    expect(summary.apiCallsByKind.setDesiredCapacity).toBe(0);
    expect(summary.pods).toMatchObject({ placed: 0, lost: 2 });
    expect(summary.secondsToRunning).toEqual({});
  });
});

describe('a throttled account', () => {
  const twoGroups = scenarioOf(`title: Two raises in one look
groups:
  - { name: a, max: 3, instanceTypes: [m5.large], labels: { pool: a } }
  - { name: b, max: 3, instanceTypes: [m5.large], labels: { pool: b } }
workloads:
  - { name: one, replicas: 1, at: 5s, requests: { cpu: 500m }, nodeSelector: { pool: a } }
  - { name: two, replicas: 1, at: 5s, requests: { cpu: 500m }, nodeSelector: { pool: b } }
throttles: [{ call: setDesiredCapacity, limit: 1, per: 20s }]
`);

  it('gets one raise through, says that the other failed, and repeats it', async () => {
    const { events, told, summary } = await play(twoGroups);
    const [failure] = events.filter(({ kind }) => kind === 'failure');
    expect(failure).toMatchObject({ atMs: 5_220, what: 'the look failed, and is repeated' });
    expect(failure?.why[0]).toContain('throttled');
    expect(told('asked')).toEqual([
      '5.2 a: desired capacity 0 -> 1',
      '35.2 b: desired capacity 0 -> 1',
    ]);
    expect(summary.nodes.added).toBe(2);
    expect(summary.pods).toMatchObject({ placed: 2, lost: 0 });
  });

  it('raises nothing while the cluster cannot be listed', async () => {
    const { told, summary } = await play(
      scenario('throttles: [{ call: listCluster, limit: 0, per: 20s }]\n'),
    );
    expect(told('asked')).toEqual([]);
    expect(told('failure').length).toBeGreaterThan(1);
    expect(summary.pods.lost).toBe(2);
  });
});

describe('the end', () => {
  it('comes at the limit where something would go on', async () => {
    const forever = 'shortages: [{ group: general }]\nlastsAtMost: 5m\n';
    const { told, summary } = await play(scenario(forever));
    expect(told('end')).toEqual(['300.0 the scenario ends at its time limit']);
    expect(summary).toMatchObject({ simulatedSeconds: 300, pods: { lost: 2 } });
  });
});
