import { describe, expect, it } from 'vitest';
import { settleIntents } from '#operations/settle-intents.ts';
import type { CapacityIntent, LedgerEntry } from '#scaling/ledger.ts';
import {
  simulatedCluster,
  simulatedGroup,
  simulatedSpec,
} from '../../helpers/simulated-cluster.ts';

/** The ledger entry once an intent was settled, beside a group with a desired capacity of three. */
const settled = async (group: string, change: Pick<CapacityIntent, 'from' | 'to'>) => {
  const { ports, world } = simulatedCluster(
    simulatedSpec({ groups: [simulatedGroup({ name: 'workers-a', desired: 3 })], workloads: [] }),
  );
  const atMs = world.nowMs();
  const lease = await ports.leases.acquire({
    cluster: 'demo',
    owner: 'look',
    nowMs: atMs,
    ttlMs: 60_000,
  });
  if (lease === undefined) throw new Error('no lease');
  const id = `demo/${group}/1`;
  const intent = { id, ...change, pods: ['uid-1'], atMs, decision: 'demo/scale-up/1' };
  const entry: LedgerEntry = { group, generation: 1, instances: {}, intent };
  await ports.ledger.write(lease, entry);
  const [returned] = await settleIntents(ports, lease, [entry]);
  const [kept] = await ports.ledger.read('demo');
  expect(returned).toEqual(kept);
  return { entry: kept, atMs };
};

describe('an intent that was left open', () => {
  it('is done where desired capacity is there: it is expected, and counts as a launch', async () => {
    const { entry, atMs } = await settled('workers-a', { from: 1, to: 3 });
    expect(entry).toEqual({
      group: 'workers-a',
      generation: 1,
      instances: {},
      to: 3,
      toAtMs: atMs,
      launchesFor: { 'uid-1': 1 },
      openLaunches: { 'uid-1': atMs },
    });
  });

  it.each([
    ['a raise that never came', 'workers-a', { from: 3, to: 4 }],
    ['a raise of a group that has vanished', 'departed', { from: 0, to: 3 }],
    ['a taking back that never came', 'workers-a', { from: 3, to: 1 }],
  ])('is void where it is %s: nothing is expected of it, no launch counts', async (...of) => {
    const [, group, change] = of;
    expect((await settled(group, change)).entry).toEqual({ group, generation: 1, instances: {} });
  });
});
