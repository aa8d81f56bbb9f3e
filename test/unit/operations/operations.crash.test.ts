import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrashReport, crashEverywhere } from '../../crash/crash-cases.ts';
import { operations } from '../../crash/operations.ts';

/** Every operation, every arrangement of it, every port call, every fault: in memory. */
describe.each(operations)('$name, failing at any port call', async (operation) => {
  const world = await operation.open('memory');
  const reports = new Map<string, CrashReport>();
  afterAll(world.close);

  describe.each(world.arrangements)('$name: $about', (arrangement) => {
    let report: CrashReport;
    beforeAll(async () => {
      report = await crashEverywhere(arrangement, operation);
      reports.set(arrangement.name, report);
    });

    it('ends the same as undisturbed, after whatever fault', () => {
      expect(report.cases.length).toBeGreaterThan(report.calls.length * 8);
      expect(report.cases.filter(({ differences }) => differences.length > 0)).toEqual([]);
    });
  });

  it('makes every kind of port call in one arrangement or another', () => {
    const made = [...reports.values()].flatMap(({ calls }) =>
      calls.map((call) => call.slice(0, call.indexOf(' '))),
    );
    expect([...new Set(made)].toSorted()).toEqual(operation.calls);
  });
});
