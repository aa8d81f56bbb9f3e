import { describe, expect, it } from 'vitest';
import { scaleUp } from '#operations/scale-up.ts';
import { PortError } from '#ports/port-error.ts';
import { lookRequest, simulatedCluster, simulatedSpec } from '../../helpers/simulated-cluster.ts';

/** A cluster in which nothing waits, in a minute in which its sweeps do not ask AWS. */
const quietCluster = async () => {
  const cluster = simulatedCluster(simulatedSpec({ workloads: [] }));
  const asked = () => cluster.world.apiCalls().describeGroups;
  const sweep = () => scaleUp(cluster.ports, lookRequest('sweeper'));
  await scaleUp(cluster.ports, { ...lookRequest('first'), trigger: 'pod-pending' });
  for (let minute = 0; minute < 6; minute += 1) {
    const before = asked();
    await sweep();
    if (asked() === before) return { ...cluster, asked, sweep };
    cluster.advanceSeconds(60);
  }
  throw new Error('no sweep was quiet');
};

describe('a quiet sweep', () => {
  it('asks AWS all the same where somebody has left a mark', async () => {
    const { ports, world, asked, sweep } = await quietCluster();
    const nowMs = world.nowMs();
    const dead = await ports.leases.acquire({ cluster: 'demo', owner: 'dead', nowMs, ttlMs: 1000 });
    await ports.leases.mark('demo', nowMs);
    if (dead !== undefined) await ports.leases.abandon(dead);
    const before = asked();
    await sweep();
    expect(asked()).toBe(before + 1);
    await sweep();
    expect(asked()).toBe(before + 1);
  });

  it('asks AWS where the look before died between its record and its end', async () => {
    const { ports, asked, sweep } = await quietCluster();
    const broken = {
      ...ports.journal,
      writeHead: () => Promise.reject(new PortError('timeout', 'cut off')),
    };
    const nodeGroups = {
      ...ports.nodeGroups,
      discover: async () => {
        const found = await ports.nodeGroups.discover();
        return { ...found, problems: [{ code: 'new', message: 'a decision that differs' }] };
      },
    };
    const hinted = { ...lookRequest('cut'), trigger: 'pod-pending' };
    const outcome = await scaleUp({ ...ports, journal: broken, nodeGroups }, hinted);
    expect(outcome.status).toBe('failed');
    const before = asked();
    await sweep();
    expect(asked()).toBe(before + 1);
  });
});
