import { describe, expect, it } from 'vitest';
import type { ScaleUpPorts } from '#operations/scale-up.ts';
import { type CrashReport, crashEverywhere } from '../../crash/crash-cases.ts';
import { operations } from '../../crash/operations.ts';
import { memoryScene } from '../../crash/scale-up/memory-scene.ts';
import { scenes } from '../../crash/scale-up/scenes.ts';

type Planted = (ports: ScaleUpPorts) => ScaleUpPorts;

/** Plays one scene of scale-up with a bug in its ports; what is said, by `fault at call`. */
const saidOf = async (
  name: string,
  planted: Planted,
): Promise<ReadonlyMap<string, CrashReport['cases'][number]['differences']>> => {
  const scene = scenes.find((each) => each.name === name);
  const operation = operations.find((each) => each.name === 'scale-up');
  if (scene === undefined || operation === undefined) throw new Error(`no scene ${name}`);
  const arrangement = { ...scene, stage: () => memoryScene(scene, planted) };
  const { cases } = await crashEverywhere(arrangement, operation);
  const said = cases.filter(({ differences }) => differences.length > 0);
  return new Map(said.map(({ call, fault, differences }) => [`${fault} at ${call}`, differences]));
};

/** As if the marks were always those that the look began after. */
const clearsOnRelease: Planted = (ports) => ({
  ...ports,
  leases: {
    ...ports.leases,
    release: async (lease) => {
      const marks = (await ports.leases.read(lease.cluster))?.marks ?? 0;
      return ports.leases.release({ ...lease, marks });
    },
  },
});

const clearsOnAbandon: Planted = (ports) => ({
  ...ports,
  leases: {
    ...ports.leases,
    abandon: async (lease) => {
      const marks = (await ports.leases.read(lease.cluster))?.marks ?? 0;
      await ports.leases.release({ ...lease, marks });
    },
  },
});

/** The lease stays held, and its mark waits for a wake-up. */
const saysNothingOfMarks: Planted = (ports) => ({
  ...ports,
  leases: {
    ...ports.leases,
    release: async (lease) => {
      const release = await ports.leases.release(lease);
      return release.status === 'marked' ? { status: 'released' } : release;
    },
  },
});

describe('a bug in the ports of scale-up', () => {
  it('is none where there is none', async () => {
    expect(await saidOf('raise', (ports) => ports)).toEqual(new Map());
  });

  it('that loses marks as the lease is given back is found by a mark left meanwhile', async () => {
    const said = await saidOf('raise', clearsOnRelease);
    expect(said.get('marked at journal.record 1')).toEqual([
      'no look after the mark before any sweep',
    ]);
  });

  it('that loses marks as the lease is given up is found where the message is not tried again', async () => {
    const said = await saidOf('raise', clearsOnAbandon);
    expect(said.get('marked, forbidden at nodeGroups.setDesiredCapacity 1')).toEqual([
      'no look after the mark before any sweep',
    ]);
  });

  it('that leaves a mark to its wake-up is found by the time it takes', async () => {
    const said = await saidOf('raise', saysNothingOfMarks);
    expect(said.get('marked at journal.record 1')).toEqual([
      'the look after the mark began only 61 s later',
    ]);
  });
});
