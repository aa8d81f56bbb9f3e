import { describe, expect, it } from 'vitest';
import { scaleUp } from '#operations/scale-up.ts';
import {
  lookRequest,
  simulatedCluster,
  simulatedGroup,
  simulatedSpec,
} from '../../helpers/simulated-cluster.ts';

const look = (cluster: ReturnType<typeof simulatedCluster>, mode?: 'act' | 'observe') =>
  scaleUp(cluster.ports, lookRequest('me', mode));

const atStart = () => {
  const cluster = simulatedCluster();
  cluster.advanceSeconds(1);
  return cluster;
};

/** A look that asks AWS whatever it finds. */
const hinted = { ...lookRequest('me'), trigger: 'pod-pending' };

describe('a look', () => {
  it('writes a record when the decision changes, not at every look', async () => {
    const cluster = atStart();
    await look(cluster);
    await look(cluster);
    const after = (await cluster.ports.journal.list('demo', 10)).length;
    await look(cluster);
    await look(cluster);
    expect(await cluster.ports.journal.list('demo', 10)).toHaveLength(after);
  });

  it('raises nothing in mode observe, journals what it would do, and says so on the pods', async () => {
    const cluster = atStart();
    const before = cluster.world.groups().groups;
    const outcome = await look(cluster, 'observe');
    expect(outcome).toMatchObject({ status: 'done', raised: 0, groups: [] });
    expect(cluster.world.groups().groups).toEqual(before);
    const record = await cluster.ports.journal.read(outcome.decision ?? '');
    expect(record.decision.scaleUps).toMatchObject([{ group: 'workers-a', from: 1 }]);
    expect(new Set(cluster.world.podNotes().map(({ reason }) => reason))).toEqual(
      new Set(['WouldTriggerScaleUp']),
    );
    expect(cluster.world.apiCalls().setDesiredCapacity).toBe(0);
  });

  it('plans on the groups as they are once an open intent is settled', async () => {
    const cluster = atStart();
    const lease = await cluster.ports.leases.acquire({
      cluster: 'demo',
      owner: 'me',
      nowMs: cluster.world.nowMs(),
      ttlMs: 1000,
    });
    if (lease === undefined) throw new Error('no lease');
    const atMs = cluster.world.nowMs();
    await cluster.ports.ledger.write(lease, {
      group: 'workers-a',
      generation: 1,
      instances: {},
      intent: { id: 'demo/workers-a/1', from: 1, to: 5, atMs, decision: 'demo/scale-up/1' },
    });
    // The groups as they were before the raise that nobody closed took effect.
    const stale = await cluster.ports.nodeGroups.discover();
    await cluster.ports.nodeGroups.setDesiredCapacity('workers-a', 5);
    let discoveries = 0;
    const nodeGroups = {
      ...cluster.ports.nodeGroups,
      discover: async () => {
        discoveries += 1;
        return discoveries === 1 ? stale : cluster.ports.nodeGroups.discover();
      },
    };
    const outcome = await scaleUp({ ...cluster.ports, nodeGroups }, hinted);
    expect(outcome.raised).toBe(0);
    const record = await cluster.ports.journal.read(outcome.decision ?? '');
    expect(record.input.nodeGroups.groups.map(({ desired }) => desired)).toEqual([5]);
    expect((await cluster.ports.ledger.read('demo')).every(({ intent }) => !intent)).toBe(true);
  });

  it('keeps what it remembers of a group that one answer left out', async () => {
    const cluster = simulatedCluster(
      simulatedSpec({
        groups: [simulatedGroup({ name: 'workers-a' }), simulatedGroup({ name: 'workers-b' })],
        workloads: [],
      }),
    );
    await look(cluster);
    const remembered = await cluster.ports.ledger.read('demo');
    expect(remembered.map(({ group }) => group)).toEqual(['workers-a', 'workers-b']);
    const forgetful = {
      ...cluster.ports.nodeGroups,
      discover: async () => {
        const found = await cluster.ports.nodeGroups.discover();
        const groups = found.view.groups.filter(({ name }) => name !== 'workers-b');
        return { ...found, view: { ...found.view, groups } };
      },
    };
    await scaleUp({ ...cluster.ports, nodeGroups: forgetful }, hinted);
    expect(await cluster.ports.ledger.read('demo')).toEqual(remembered);
    const gone = { ...forgetful, capacity: async () => undefined };
    await scaleUp({ ...cluster.ports, nodeGroups: gone }, hinted);
    expect((await cluster.ports.ledger.read('demo')).map(({ group }) => group)).toEqual([
      'workers-a',
    ]);
  });

  it('leaves the cluster to whoever holds its lease, and a mark that says so', async () => {
    const cluster = atStart();
    await cluster.ports.leases.acquire({
      cluster: 'demo',
      owner: 'somebody',
      nowMs: cluster.world.nowMs(),
      ttlMs: 60_000,
    });
    expect(await look(cluster)).toEqual({
      cluster: 'demo',
      status: 'marked',
      raised: 0,
      groups: [],
    });
    expect(await cluster.ports.leases.read('demo')).toMatchObject({ marks: 1 });
    expect(cluster.world.apiCalls().listCluster).toBe(0);
  });
});
