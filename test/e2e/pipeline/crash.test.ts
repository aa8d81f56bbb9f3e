import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashEverywhere } from '../../crash/crash-cases.ts';
import { operations } from '../../crash/operations.ts';
import type { OpenWorld } from '../../crash/stage.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import '../../helpers/own-temporary-folder.ts';

/**
 * As the tests of the same name in memory, with real adapters against a real API server and the emulated account:
 * the faults that only a real store, queue and retry can answer for.
 */
describe
  .skipIf(await withoutTestbed())
  .each(operations.filter(({ worlds }) => worlds.includes('testbed')))(
  '$name on the test bed, failing at any port call',
  (operation) => {
    let world: OpenWorld;
    beforeAll(async () => {
      world = await operation.open('testbed');
    });
    afterAll(async () => {
      await world?.close();
    });

    it('ends the same as undisturbed, in every arrangement, after whatever fault', async () => {
      expect(world.arrangements.length).toBeGreaterThan(0);
      for (const arrangement of world.arrangements) {
        const report = await crashEverywhere(arrangement, { ...operation, ...world });
        const differing = report.cases.filter(({ differences }) => differences.length > 0);
        expect(report.cases.length).toBeGreaterThan(report.calls.length * 3);
        expect(differing, arrangement.name).toEqual([]);
      }
    });
  },
);
