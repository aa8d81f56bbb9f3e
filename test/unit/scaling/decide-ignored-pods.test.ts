import { describe, expect, it } from 'vitest';
import { codes, decide, raises } from '../../helpers/decide.ts';
import { boundPod, node, now, pod, pods } from '../../helpers/scaling-builders.ts';

describe('pods that do not call for nodes', () => {
  const codeOf = (over: Parameters<typeof pod>[1]) => {
    const decision = decide({ pods: [pod('web', over)] });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.stuck).toEqual([]);
    return decision.ignored.map(({ code }) => code);
  };

  it('have scheduling gates', () => {
    expect(codeOf({ gated: true })).toEqual(['schedulingGated']);
    expect(codeOf({ scheduled: { status: 'False', reason: 'SchedulingGated' } })).toEqual([
      'schedulingGated',
    ]);
  });

  it('were not tried by the scheduler yet', () => {
    const { scheduled: _, ...untried } = pod('web');
    expect(decide({ pods: [untried] }).ignored.map(({ code }) => code)).toEqual([
      'notYetScheduled',
    ]);
    expect(codeOf({ scheduled: { status: 'False', reason: 'SchedulerError' } })).toEqual([
      'notYetScheduled',
    ]);
  });

  it('have a priority below the cut-off; at it they count', () => {
    expect(codeOf({ priority: -11 })).toEqual(['priorityBelowCutoff']);
    expect(raises({ pods: [pod('web', { priority: -10 })] })).toEqual([['workers-a', 0, 1]]);
  });

  it('do not include pods without any priority', () => {
    const { priority: _, ...unranked } = pod('web');
    expect(raises({ pods: [unranked], policy: { priorityCutoff: 5 } })).toEqual([
      ['workers-a', 0, 1],
    ]);
  });

  it('are being deleted', () => {
    expect(codeOf({ deletedAtMs: now })).toEqual(['terminating']);
  });

  it('belong to a DaemonSet', () => {
    expect(codeOf({ owner: { kind: 'DaemonSet', name: 'agent', uid: 'u' } })).toEqual([
      'daemonSetPod',
    ]);
  });

  it('have a node or have ended, and are not mentioned', () => {
    const decision = decide({
      pods: [boundPod('a', 'n'), pod('b', { phase: 'Failed' }), pod('c', { phase: 'Succeeded' })],
    });
    expect(decision).toMatchObject({ scaleUps: [], fits: [], stuck: [], ignored: [] });
  });

  it('demand what no filter judges yet, and are told which field', () => {
    const decision = decide({
      nodes: [node('a')],
      pods: [pod('web', { notJudged: ['topologySpreadConstraints', 'podAntiAffinity'] })],
    });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits).toEqual([]);
    expect(decision.stuck).toEqual([
      {
        pod: 'default/web',
        reasons: [
          {
            code: 'notJudged',
            message:
              'it demands podAntiAffinity, topologySpreadConstraints, which is not judged yet: no node is added for it',
          },
        ],
      },
    ]);
  });
});

describe('another scaler', () => {
  const lease = {
    namespace: 'kube-system',
    name: 'cluster-autoscaler',
    holder: 'ca-1',
    renewedAtMs: now - 20_000,
    durationSeconds: 15,
  };

  it('stops every raise while its lease is fresh, and the pods are told', () => {
    const parts = { leases: [lease], nodes: [node('a')], pods: pods(3, 'web') };
    const decision = decide(parts);
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits).toHaveLength(1);
    expect(decision.problems.map(({ code }) => code)).toEqual(['otherScaler']);
    expect(codes(parts, 'web-2')).toEqual([[undefined, 'otherScaler']]);
  });

  it("does not matter once its lease is stale, released, or not a scaler's", () => {
    for (const other of [
      { ...lease, renewedAtMs: now - 30_000 },
      { ...lease, holder: '' },
      { ...lease, name: 'kube-scheduler' },
    ]) {
      expect(raises({ leases: [other], pods: [pod('web')] })).toEqual([['workers-a', 0, 1]]);
    }
  });

  it('is known by the name of its lease in whatever namespace it was installed into', () => {
    for (const name of ['cluster-autoscaler', 'karpenter-leader-election']) {
      const parts = { leases: [{ ...lease, namespace: 'scaling', name }], pods: [pod('web')] };
      expect(decide(parts).problems[0]?.message).toContain(`lease scaling/${name}, held by ca-1`);
      expect(raises(parts)).toEqual([]);
    }
  });

  it('may be Karpenter', () => {
    const karpenter = { ...lease, name: 'karpenter-leader-election' };
    expect(raises({ leases: [karpenter], pods: [pod('web')] })).toEqual([]);
  });
});
