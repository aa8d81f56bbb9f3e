import { describe, expect, it } from 'vitest';
import type { PodView } from '#cluster/snapshot.ts';
import { decide, raises } from '../../helpers/decide.ts';
import { boundPod, group, minute, node, now, pod } from '../../helpers/scaling-builders.ts';

/** A node that a placeholder of priority -5 fills, and a pod that wants its room. */
const full = (over: { readonly holder?: Partial<PodView>; readonly wants?: Partial<PodView> }) => ({
  nodes: [node('n')],
  pods: [
    boundPod('placeholder', 'n', { priority: -5, requests: { cpu: 1900 }, ...over.holder }),
    pod('web', { requests: { cpu: 1000 }, ...over.wants }),
  ],
});

const waitingFor = (minutes: number): NonNullable<PodView['scheduled']> => ({
  status: 'False',
  reason: 'Unschedulable',
  sinceMs: now - minutes * minute,
});

describe('a pod that can preempt', () => {
  it('gets no node; the placeholder that it drives out does', () => {
    const decision = decide(full({}));
    expect(decision.ignored).toMatchObject([{ pod: 'default/web', code: 'willPreempt' }]);
    expect(decision.ignored[0]?.message).toContain(
      'the place of default/placeholder, of lower priority, on n',
    );
    expect(decision.scaleUps).toMatchObject([{ to: 1, pods: ['default/placeholder'] }]);
    expect(decision.fits).toEqual([]);
    expect(decision.stuck).toEqual([]);
  });

  it('gets a node once it has waited five minutes without preempting', () => {
    expect(decide(full({ wants: { scheduled: waitingFor(4.9) } })).ignored).toHaveLength(1);
    const decision = decide(full({ wants: { scheduled: waitingFor(5) } }));
    expect(decision.ignored).toEqual([]);
    expect(decision.scaleUps).toMatchObject([{ to: 1, pods: ['default/web'] }]);
  });

  it('gets a node at once where its policy is never to preempt', () => {
    const decision = decide(full({ wants: { neverPreempts: true } }));
    expect(decision.scaleUps).toMatchObject([{ pods: ['default/web'] }]);
  });

  it('gets a node where nobody on the node has a lower priority', () => {
    const decision = decide(full({ holder: { priority: 0 } }));
    expect(decision.scaleUps).toMatchObject([{ pods: ['default/web'] }]);
  });

  it('drives out a pod below the cut-off for which nothing is added', () => {
    expect(raises(full({ holder: { priority: -11 } }))).toEqual([]);
  });

  it('drives out pods that come back nowhere: bare ones, static ones, those of DaemonSets', () => {
    for (const kind of ['Node', 'DaemonSet']) {
      const owner = { kind, name: 'owner', uid: 'u' };
      expect(raises(full({ holder: { owner } }))).toEqual([]);
    }
    const { owner: _, ...bare } = boundPod('placeholder', 'n', {
      priority: -5,
      requests: { cpu: 1900 },
    });
    const web = pod('web', { requests: { cpu: 1000 } });
    expect(raises({ nodes: [node('n')], pods: [bare, web] })).toEqual([]);
  });

  it('takes one place only: the second of two gets a node', () => {
    const one = full({});
    const second = pod('second', { requests: { cpu: 1000 } });
    const decision = decide({ ...one, pods: [...one.pods, second] });
    expect(decision.ignored.map(({ pod }) => pod)).toEqual(['default/second']);
    expect(decision.scaleUps.flatMap(({ pods }) => pods).sort()).toEqual([
      'default/placeholder',
      'default/web',
    ]);
  });

  it('preempts nobody where it has room, and its room is not given away', () => {
    const decision = decide({
      nodes: [node('n'), node('o')],
      pods: [
        boundPod('placeholder', 'n', { priority: -5, requests: { cpu: 1900 } }),
        pod('first', { requests: { cpu: 1900 }, createdAtMs: now - 2 * minute }),
        pod('then', { requests: { cpu: 1900 } }),
      ],
    });
    expect(decision.fits).toEqual([{ pod: 'default/first', node: 'o' }]);
    expect(decision.ignored).toMatchObject([{ pod: 'default/then', code: 'willPreempt' }]);
    expect(decision.scaleUps).toMatchObject([{ pods: ['default/placeholder'] }]);
  });

  it('asks for nothing more once the node for those driven out is on its way', () => {
    const { nodes, pods } = full({});
    expect(raises({ nodes, pods, groups: [group('workers-a', { desired: 1 })] })).toEqual([]);
  });
});

describe('a pod of another scheduler', () => {
  it('is left to it, and told so', () => {
    const parts = { pods: [pod('batch', { schedulerName: 'volcano' })] };
    expect(decide(parts).ignored).toMatchObject([{ pod: 'default/batch', code: 'otherScheduler' }]);
    expect(raises(parts)).toEqual([]);
  });

  it('is looked after where the policy names its scheduler', () => {
    const parts = { pods: [pod('batch', { schedulerName: 'volcano' })] };
    const policy = { schedulers: ['default-scheduler', 'volcano'] };
    expect(raises({ ...parts, policy })).toEqual([['workers-a', 0, 1]]);
  });
});
