import { describe, expect, it } from 'vitest';
import { scaleUp } from '#operations/scale-up.ts';
import { PortError } from '#ports/port-error.ts';
import { type Fate, faultyPorts, type PortCall } from '../../helpers/faulty-ports.ts';
import {
  lookRequest,
  simulatedCluster,
  simulatedGroup,
  simulatedSpec,
  simulatedWorkload,
} from '../../helpers/simulated-cluster.ts';

/** Two groups to raise and one pod that nothing can host: every kind of port call is made. */
const spec = simulatedSpec({
  groups: [
    simulatedGroup({ name: 'workers-a', max: 2 }),
    simulatedGroup({ name: 'workers-b', instanceTypes: ['m5.xlarge'] }),
  ],
  workloads: [
    simulatedWorkload({ name: 'web', replicas: 6 }),
    simulatedWorkload({
      name: 'odd',
      constraints: {
        requests: { cpu: 500_000 },
        nodeSelector: {},
        tolerations: [],
        hostPorts: [],
        notJudged: [],
      },
    }),
  ],
});

const unavailable = (call: PortCall): Error =>
  new PortError('unavailable', `${call.name} was cut off`);

/** What must be the same however the first look ended. Times and generations may differ. */
const finalState = async (cluster: ReturnType<typeof simulatedCluster>) => {
  const { world, ports } = cluster;
  const ledger = await ports.ledger.read('demo');
  return {
    desired: world.groups().groups.map(({ name, desired }) => [name, desired]),
    openIntents: ledger.filter(({ intent }) => intent !== undefined),
    remembered: ledger.map(({ group, instances }) => [group, Object.keys(instances).sort()]),
    // `TriggeredScaleUp`, or `WaitsForNode` where that word was cut off; both where only the note of it was.
    told: [...new Set(world.podNotes().map(({ pod, type }) => `${pod} ${type}`))].sort(),
    lease: (await ports.leases.acquire({
      cluster: 'demo',
      owner: 'probe',
      nowMs: world.nowMs(),
      ttlMs: 1,
    }))
      ? 'free'
      : 'held',
  };
};

const run = async (fate: (call: PortCall) => Fate, looksAfter: number) => {
  const cluster = simulatedCluster(spec);
  cluster.advanceSeconds(1);
  const calls: string[] = [];
  const seen = (call: PortCall): Fate => {
    calls.push(call.name);
    return fate(call);
  };
  const first = await scaleUp(faultyPorts(cluster.ports, seen, unavailable), lookRequest('first'));
  for (let look = 0; look < looksAfter; look += 1) {
    await scaleUp(cluster.ports, lookRequest('first'));
  }
  return { cluster, calls, first };
};

describe('a look that is cut off at any port call and taken again', async () => {
  const whole = await run(() => 'pass', 1);
  const expected = await finalState(whole.cluster);
  const numbers = whole.calls.map((name, index) => ({ number: index + 1, name }));

  it('makes every kind of port call when nothing fails', () => {
    expect(new Set(whole.calls)).toEqual(
      new Set([
        'leases.acquire',
        'leases.release',
        'clusterApi.snapshot',
        'clusterApi.postPodEvent',
        'nodeGroups.discover',
        'nodeGroups.capacity',
        'nodeGroups.setDesiredCapacity',
        'ledger.read',
        'ledger.write',
        'journal.head',
        'journal.record',
        'journal.writeHead',
      ]),
    );
    expect(expected.desired).toEqual([
      ['workers-a', 2],
      ['workers-b', 2],
    ]);
    expect(expected.openIntents).toEqual([]);
  });

  for (const how of ['before', 'after'] as const) {
    it.each(numbers)(`ends the same, failing ${how} call $number ($name)`, async ({ number }) => {
      const cut = await run((call) => (call.number === number ? how : 'pass'), 2);
      expect(await finalState(cut.cluster)).toEqual(expected);
    });

    it.each(numbers)(
      `ends the same, dying ${how} call $number ($name) and for good`,
      async (at) => {
        const died = (call: PortCall): Fate =>
          call.number === at.number ? how : call.number > at.number ? 'before' : 'pass';
        const cut = await run(died, 2);
        expect(await finalState(cut.cluster)).toEqual(expected);
      },
    );
  }
});
