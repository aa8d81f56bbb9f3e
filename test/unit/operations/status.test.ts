import { describe, expect, it } from 'vitest';
import { scaleUp } from '#operations/scale-up.ts';
import { type StatusPorts, status } from '#operations/status.ts';
import { PortError } from '#ports/port-error.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { lookRequest, simulatedCluster } from '../../helpers/simulated-cluster.ts';

const policy = { ...defaultScalingPolicy, mode: 'act' as const };
const request = { cluster: 'demo', policy, decisions: 5 };

const statusOf = (ports: StatusPorts) => status(ports, request);

/** Five pods, of which one finds room; two nodes are asked for. */
const raisedCluster = async () => {
  const cluster = simulatedCluster();
  cluster.advanceSeconds(3);
  await scaleUp(cluster.ports, lookRequest('somebody'));
  return cluster;
};

describe('status', () => {
  it('of a cluster that nobody has looked at has nodes, pods and nothing under way', async () => {
    const { ports, advanceSeconds } = simulatedCluster();
    advanceSeconds(3);
    expect(await statusOf(ports)).toEqual({
      cluster: 'demo',
      mode: 'act',
      nodes: { ready: 1, coming: 0, draining: 0, cordoned: 0 },
      pendingPods: 4,
      work: [],
      breakers: [],
      backOffs: [],
      lease: { marks: 0 },
      decisions: [],
      unreachable: [],
    });
  });

  it('counts nodes on their way, and has the decision that asked for them', async () => {
    const { ports } = await raisedCluster();
    const { nodes, decisions } = await statusOf(ports);
    const [decision] = decisions;
    expect(nodes.coming).toBeGreaterThan(0);
    expect(decision).toMatchObject({ id: 'demo/scale-up/1', trigger: 'sweep', mode: 'act' });
    expect(decision?.at).toMatch(/^2026-01-05T12:00:\d\dZ$/);
  });

  it('tells of instances that start, the oldest first', async () => {
    const { ports, advanceSeconds } = await raisedCluster();
    advanceSeconds(10);
    await scaleUp(ports, lookRequest('somebody'));
    const { work, oldestWork } = await statusOf(ports);
    expect(work.map(({ kind }) => kind)).toContain('start');
    expect(work.every(({ group }) => group === 'workers-a')).toBe(true);
    expect(oldestWork).toEqual(work[0]);
    const times = work.map(({ since }) => since);
    expect(times).toEqual(times.toSorted());
  });

  it('tells of an open intent and of a back-off', async () => {
    const { ports, world } = await raisedCluster();
    const nowMs = world.nowMs();
    const [entry] = await ports.ledger.read('demo');
    if (entry === undefined) throw new Error('the look wrote no entry');
    const open = {
      ...entry,
      intent: { id: 'demo/workers-a/9', from: 3, to: 5, atMs: nowMs, decision: 'demo/scale-up/9' },
      backOff: { failures: 2, atMs: nowMs, untilMs: nowMs + 1, code: 'x', message: 'no capacity' },
    };
    const before = await statusOf({ ...ports, ledger: { read: async () => [open] } });
    expect(before.work).toContainEqual({
      kind: 'raise',
      group: 'workers-a',
      since: expect.any(String),
      from: 3,
      to: 5,
      decision: 'demo/scale-up/9',
    });
    expect(before.backOffs).toMatchObject([{ group: 'workers-a', over: false, failures: 2 }]);
    const ended = { ...open, backOff: { ...open.backOff, untilMs: nowMs } };
    const after = await statusOf({ ...ports, ledger: { read: async () => [ended] } });
    expect(after.backOffs).toMatchObject([{ over: true }]);
  });

  it('names who holds the lease, and that somebody who held it died', async () => {
    const { ports, world, advanceSeconds } = await raisedCluster();
    await ports.leases.acquire({
      cluster: 'demo',
      owner: 'me',
      nowMs: world.nowMs(),
      ttlMs: 5000,
    });
    await ports.leases.mark('demo', world.nowMs());
    const held = (await statusOf(ports)).lease;
    expect(held).toMatchObject({ holder: 'me', marks: 1 });
    expect(held.expired).toBeUndefined();
    advanceSeconds(6);
    expect((await statusOf(ports)).lease).toMatchObject({ holder: 'me', expired: true });
  });

  it('has the time of the last look, also of one that changed nothing', async () => {
    const { ports, world, advanceSeconds } = await raisedCluster();
    advanceSeconds(120);
    const beganMs = world.nowMs();
    await scaleUp(ports, lookRequest('somebody'));
    const { lastLook } = await statusOf(ports);
    expect(lastLook?.result).toBe('done');
    expect(Math.abs(Date.parse(lastLook?.at ?? '') - beganMs)).toBeLessThan(1000);
  });

  it('says what cannot be reached, and that what hangs on it is unknown', async () => {
    const { ports } = await raisedCluster();
    const away = async () => {
      throw new PortError('timeout', 'GET /api/v1/nodes: no answer within 10000 ms');
    };
    const blind = await statusOf({ ...ports, clusterApi: { snapshot: away } });
    expect(blind.nodes).toEqual({ ready: null, coming: null, draining: null, cordoned: null });
    expect(blind.pendingPods).toBeNull();
    expect(blind.unreachable).toEqual([
      {
        what: 'API server',
        code: 'timeout',
        message: 'GET /api/v1/nodes: no answer within 10000 ms',
      },
    ]);
    expect(blind.decisions).toHaveLength(1);
    const half = await statusOf({ ...ports, nodeGroups: { discover: away } });
    expect(half.nodes).toMatchObject({ ready: 1, coming: null });
    expect(half.unreachable.map(({ what }) => what)).toEqual(['Auto Scaling groups']);
  });
});
