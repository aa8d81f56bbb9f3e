import { describe, expect, it } from 'vitest';
import { exampleScenario, type Played, play } from '../helpers/play-example.ts';

const examples = ['first-pods', 'burst', 'nowhere-to-run', 'scale-from-zero', 'launches-fail'];

const plays = new Map<string, Promise<Played>>();

/** Each example is played once for all that is said of it. */
const played = (name: string): Promise<Played> => {
  const known = plays.get(name) ?? play(exampleScenario(name));
  plays.set(name, known);
  return known;
};

describe('every example', () => {
  it.each(examples)('%s is told the same way for the same seed', async (name) => {
    const scenario = exampleScenario(name);
    const first = await play(scenario);
    const again = await play(scenario);
    expect(again.events).toEqual(first.events);
    expect(again.summary).toEqual(first.summary);
    const other = await play(scenario, scenario.world.seed + 1);
    expect(other.events).not.toEqual(first.events);
    expect(other.summary.seed).toBe(scenario.world.seed + 1);
  });

  it.each(examples)('%s is told in order of time, and ends', async (name) => {
    const { events } = await played(name);
    const times = events.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(events.at(-1)?.kind).toBe('end');
  });

  it.each(examples)('%s fails at no look', async (name) => {
    expect((await played(name)).told('failure')).toEqual([]);
  });
});

describe('first-pods', () => {
  it('raises the empty group once for the first pods, by a hint and not a sweep', async () => {
    const { told } = await played('first-pods');
    expect(told('decision')[0]).toBe('5.2 raise general from 0 to 1 for 3 pods');
    expect(told('asked')[0]).toBe('5.2 general: desired capacity 0 -> 1');
    expect(told('told')[0]).toBe('5.2 Event TriggeredScaleUp on 3 pods');
  });

  it('runs every pod on exactly as many nodes as they need', async () => {
    const { summary, told } = await played('first-pods');
    expect(summary.pods).toEqual({ total: 5, placed: 5, late: 0, lost: 0 });
    expect(summary.nodes).toEqual({ added: 2, removed: 0, failed: 0, ready: 2 });
    expect(told('end')[0]).toContain('every pod has run');
  });

  it('costs what its instances cost', async () => {
    const { summary } = await played('first-pods');
    expect(summary.costPerHour).toBe(0.192);
    expect(summary.cost).toBeGreaterThan(0);
    expect(summary.cost).toBeLessThan((0.192 * summary.simulatedSeconds) / 3600);
  });
});

describe('burst', () => {
  it('uses all three groups, and runs everything in the end', async () => {
    const { summary, told } = await played('burst');
    const asked = told('asked').map((line) => line.replace(/^\S+ /, ''));
    expect(asked).toEqual([
      'compute-c: desired capacity 0 -> 25',
      // The scheduler puts some of the others on its nodes too.
      'compute-c: desired capacity 25 -> 37',
      'general-a: desired capacity 1 -> 30',
      'general-b: desired capacity 0 -> 30',
      // Without capacity it is taken back, tried once more after its back-off, and raised for good.
      'compute-c: desired capacity 37 -> 0',
      'compute-c: desired capacity 0 -> 25',
      'compute-c: desired capacity 25 -> 0',
      'compute-c: desired capacity 0 -> 25',
    ]);
    expect(summary.pods).toMatchObject({ total: 500, placed: 500, lost: 0 });
  });

  it('says that EC2 had no capacity, and counts those pods as late', async () => {
    const { summary, events } = await played('burst');
    const failed = events.filter(({ kind }) => kind === 'launchFailed');
    expect(failed[0]?.what).toBe('compute-c: 37 launches failed');
    expect(failed[0]?.why[0]).toContain(
      'InsufficientInstanceCapacity: no c5.2xlarge in us-east-1c',
    );
    expect(summary.nodes.failed).toBe(37 + 25 * (failed.length - 1));
    expect(summary.pods.late).toBe(200);
  });
});

describe('nowhere-to-run', () => {
  it('says once what every group lacks', async () => {
    const { events } = await played('nowhere-to-run');
    const stuck = events.filter(({ kind }) => kind === 'stuck');
    expect(stuck).toHaveLength(1);
    expect(stuck[0]?.what).toBe('no group can host research/huge-1 and research/huge-2');
    expect(stuck[0]?.why.map((reason) => reason.split(':')[0])).toEqual(['arm', 'gpu', 'small']);
    expect(stuck[0]?.why.join('\n')).toContain('Insufficient cpu');
  });

  it('holds up no other pod, and raises nothing for the one that is stuck', async () => {
    const { summary, told } = await played('nowhere-to-run');
    expect(summary.pods).toMatchObject({ total: 6, placed: 4, lost: 2 });
    expect(summary.nodes.added).toBe(1);
    expect(told('told')[0]).toContain('NotTriggerScaleUp on 2 pods');
    expect(told('end')[0]).toContain('2 pods never ran');
  });
});

describe('scale-from-zero', () => {
  it('raises the group that each pod asks for', async () => {
    const { told } = await played('scale-from-zero');
    expect(told('decision').slice(0, 3)).toEqual([
      '8.2 raise batch from 0 to 3 for 6 pods',
      '33.2 raise gpu from 0 to 1 for 1 pod',
      '43.2 raise general from 0 to 1 for 2 pods',
    ]);
  });

  it('replaces the instance that never became a Node once its group is no longer backed off', async () => {
    const { summary, told } = await played('scale-from-zero');
    expect(told('missing')).toHaveLength(1);
    expect(told('blocked')).toEqual(['360.0 batch cannot be used']);
    expect(told('decision')[3]).toBe('660.0 raise batch from 3 to 4 for 2 pods');
    expect(summary.pods).toMatchObject({ placed: 9, lost: 0 });
    expect(summary.nodes.failed).toBe(1);
  });
});

describe('launches-fail', () => {
  it('plans the pods on the next group as soon as the launch has failed', async () => {
    const { told } = await played('launches-fail');
    expect(told('decision').slice(0, 4)).toEqual([
      '10.2 raise workers-a from 0 to 1 for 3 pods',
      '10.2 raise workers-b from 0 to 1 for 3 pods',
      '16.9 take workers-a back from 1 to 0',
      '16.9 raise workers-b from 1 to 2 for 3 pods',
    ]);
    expect(told('launchFailed')).toEqual(['15.9 workers-a: 1 launch failed']);
  });

  it('uses the group again once there is capacity and its back-off is over', async () => {
    const { told, summary } = await played('launches-fail');
    expect(told('decision')[4]).toBe('1200.2 raise workers-a from 0 to 1 for 3 pods');
    expect(summary.pods).toMatchObject({ placed: 9, late: 0, lost: 0 });
    expect(summary.nodes).toMatchObject({ added: 3, removed: 0, failed: 1 });
  });
});
