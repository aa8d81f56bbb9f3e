import { describe, expect, it } from 'vitest';
import { type ScaleUpPorts, scaleUp } from '#operations/scale-up.ts';
import { PortError, type PortErrorCode } from '#ports/port-error.ts';
import { lookRequest, simulatedCluster } from '../../helpers/simulated-cluster.ts';

/** Two of four waiting pods, of one controller, have had three launches that brought nothing. */
const pagedCluster = async () => {
  const cluster = simulatedCluster();
  const { ports, world } = cluster;
  cluster.advanceSeconds(180);
  const { snapshot } = await ports.clusterApi.snapshot();
  const waiting = snapshot.pods.filter(({ nodeName }) => nodeName === undefined);
  const nowMs = world.nowMs();
  const request = { cluster: 'demo', owner: 'before', nowMs, ttlMs: 60_000 };
  const lease = await ports.leases.acquire(request);
  if (lease === undefined) throw new Error('no lease');
  await ports.ledger.write(lease, {
    group: 'workers-a',
    generation: 3,
    instances: {},
    launchesFor: Object.fromEntries(waiting.slice(0, 2).map(({ uid }) => [uid, 3])),
  });
  await ports.leases.release(lease);
  return { ...cluster, look: (through: ScaleUpPorts) => scaleUp(through, lookRequest('look')) };
};

const refusing = (code: PortErrorCode) => ({
  send: () => Promise.reject(new PortError(code, 'Publish')),
});

describe('a look that pages', () => {
  it('sends one page for each occasion, and none again', async () => {
    const { ports, look } = await pagedCluster();
    expect(await look(ports)).toMatchObject({ status: 'done' });
    await look(ports);
    const [{ snapshot }, sent] = [await ports.clusterApi.snapshot(), ports.pages.sent()];
    const createdAtMs = snapshot.pods.find(({ name }) => name === 'web-2')?.createdAtMs;
    expect(sent.map(({ id }) => id)).toEqual([
      `demo/launches-without-binding/pod default/web-2/${createdAtMs}`,
    ]);
  });

  it.each([
    ['throttled', true],
    ['forbidden', false],
  ] as const)(
    'has failed where its page is %s, and the next look pages',
    async (code, retryable) => {
      const { ports, look } = await pagedCluster();
      expect(await look({ ...ports, pages: refusing(code) })).toMatchObject({
        status: 'failed',
        error: { code, retryable },
      });
      expect(await look(ports)).toMatchObject({ status: 'done' });
      expect(ports.pages.sent()).toHaveLength(1);
    },
  );

  it('has raised and told all the same where its page is refused', async () => {
    const { ports, look, world } = await pagedCluster();
    const outcome = await look({ ...ports, pages: refusing('forbidden') });
    expect(outcome.raised).toBeGreaterThan(0);
    expect(new Set(world.podNotes().map(({ type }) => type))).toEqual(
      new Set(['Normal', 'Warning']),
    );
  });
});
