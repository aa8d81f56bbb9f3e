import { describe, expect, it } from 'vitest';
import type { DisruptionBudgetView, PodView } from '#cluster/snapshot.ts';
import { preemptionFor } from '#scheduling/preemption/preemption.ts';
import { schedulingState } from '#scheduling/state/scheduling-state.ts';
import { unlimitedTrials } from '#scheduling/trials.ts';
import { buildNode, buildPod } from '../../../helpers/cluster-builders.ts';

const running = (name: string, cpu: number, over: Partial<PodView> = {}): PodView =>
  buildPod(name, { requests: { cpu }, priority: 1, createdAtMs: 1000, ...over });

/** Nodes of 4 CPU with these pods; what a pod of priority 10 that asks for so much drives out, and where. */
const drivenOut = (
  cpu: number,
  nodes: readonly (readonly PodView[])[],
  budgets: readonly DisruptionBudgetView[] = [],
) => {
  const state = schedulingState(
    { namespaces: [], storage: {} },
    nodes.map((pods, index) => ({ template: buildNode(`n${index}`), pods })),
  );
  const pod = buildPod('urgent', { requests: { cpu }, priority: 10 });
  const found = preemptionFor(pod, {
    state,
    nodes: [...nodes.keys()],
    budgets,
    trials: unlimitedTrials(),
  });
  return found && [found.node, ...found.victims.map(({ name }) => name)];
};

const budget = (app: string, disruptionsAllowed: number): DisruptionBudgetView => ({
  namespace: 'default',
  name: app,
  selector: { matchLabels: { app }, matchExpressions: [] },
  disruptionsAllowed,
  expectedPods: 3,
});

describe('whom a pod preempts', () => {
  it('spares the most important that may stay', () => {
    const pods = [
      running('low', 1000),
      running('lower', 1000, { priority: 0 }),
      running('old', 1000, { createdAtMs: 1 }),
      running('new', 1000, { createdAtMs: 9 }),
    ];
    expect(drivenOut(1000, [pods])).toEqual([0, 'lower']);
    expect(drivenOut(2000, [pods])).toEqual([0, 'low', 'lower']);
  });

  it('takes a small important one where a big one of less importance can stay for it', () => {
    const pods = [running('small', 500, { priority: 3 }), running('big', 3500)];
    expect(drivenOut(500, [pods])).toEqual([0, 'big']);
    expect(drivenOut(3700, [pods])).toEqual([0, 'small', 'big']);
  });

  it('never takes one of its own priority or higher', () => {
    expect(drivenOut(1000, [[running('peer', 4000, { priority: 10 })]])).toBeUndefined();
  });

  it('minds budgets before importance', () => {
    const pods = [
      running('guarded', 2000, { priority: 0, labels: { app: 'a' } }),
      running('free', 2000, { labels: { app: 'b' } }),
    ];
    expect(drivenOut(2000, [pods])).toEqual([0, 'guarded']);
    expect(drivenOut(2000, [pods], [budget('a', 0)])).toEqual([0, 'free']);
    expect(drivenOut(2000, [pods], [budget('a', 1)])).toEqual([0, 'guarded']);
  });

  it('goes where no budget is violated, then where the highest victim is lowest', () => {
    const guarded = running('guarded', 4000, { priority: -5, labels: { app: 'a' } });
    const high = running('high', 4000, { priority: 5 });
    const low = running('low', 4000, { priority: 2 });
    expect(drivenOut(1000, [[guarded], [high], [low]], [budget('a', 0)])).toEqual([2, 'low']);
    expect(drivenOut(1000, [[guarded], [high], [low]])).toEqual([0, 'guarded']);
  });

  it('prefers a smaller sum of priorities, each counting, then the later start', () => {
    const two = [running('a', 2000), running('b', 2000)];
    const one = [running('c', 4000)];
    expect(drivenOut(4000, [two, one])).toEqual([1, 'c']);
    const older = [running('d', 4000, { createdAtMs: 1 })];
    const newer = [running('e', 4000, { createdAtMs: 2 })];
    expect(drivenOut(4000, [older, newer])).toEqual([1, 'e']);
  });

  it('finds nothing where even an empty node would refuse', () => {
    expect(drivenOut(4001, [[running('a', 4000)]])).toBeUndefined();
  });
});
