import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { testbedAvailable } from '../../testbed/testbed.ts';

const unavailable = await testbedAvailable();
const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

describe.skipIf(unavailable !== undefined)(
  `npm run bench -- --workload read-and-decide${unavailable ? ` (${unavailable})` : ''}`,
  () => {
    it('reads a cluster whole, then its changes, and prints the documented fields', () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [main, '--workload', 'read-and-decide', '--size', '3000', '--json'],
        { encoding: 'utf8' },
      );
      expect(status, stderr).toBe(0);
      const figures = JSON.parse(stdout);
      expect(figures).toMatchObject({
        workload: 'read-and-decide',
        size: 3_000,
        nodes: 100,
        pods: 3_000,
        pending: 100,
        placed: 100,
        stuck: 0,
      });
      for (const time of ['wallSeconds', 'cpuSeconds', 'coldWallSeconds', 'coldCpuSeconds']) {
        expect(figures[time], time).toBeGreaterThan(0);
      }
      expect(figures.peakMemoryMiB).toBeGreaterThan(30);
      // Changes alone are less to send than everything.
      expect(figures.receivedMiB).toBeGreaterThan(0);
      expect(figures.receivedMiB).toBeLessThan(figures.coldReceivedMiB);
    });
  },
);
