import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import { burst } from '../../bench/burst.ts';
import { barePods, fromZero } from '../../bench/decision/one-group.ts';
import { proveDecision } from '../../bench/decision/prove.ts';
import { bare } from '../../bench/estimator.ts';
import { large } from '../../bench/large.ts';
import { openb } from '../../bench/openb.ts';
import { plotHtml } from '../../bench/plot.ts';

describe('the workloads of decisions, small', () => {
  it('bare pods get the nodes that they fill', async () => {
    const figures = await bare.run({ size: 1000 });
    expect(figures).toMatchObject({ pods: 1000, placed: 1000, stuck: 0, nodes: 20 });
  });

  it('the mix of the estimator comes to 2,595 nodes for 51,000 pods', () => {
    const pods = [...barePods(50_000, 'small', 50, 100), ...barePods(1000, 'large', 95, 190)];
    const input = fromZero({ milliCpu: 1000, memoryBytes: 5000, pods: 100 }, pods);
    const { scaleUps, stuck } = decideScaleUp(input);
    expect(stuck).toEqual([]);
    expect(scaleUps.map(({ group, from, to }) => [group, from, to])).toEqual([
      ['workers', 0, 2595],
    ]);
    expect(scaleUps[0]?.pods).toHaveLength(51_000);
  });

  it('a burst gets all its capacity in one decision', async () => {
    const figures = await burst.run({ size: 400 });
    expect(figures).toMatchObject({ pods: 400, placed: 400, stuck: 0 });
    expect(figures['fits']).toBeGreaterThan(60);
    expect(figures['fits']).toBeLessThan(200);
    expect(figures['nodes']).toBeGreaterThan(0);
  });

  it('mixed constraints in a cluster are planned so that they can be bound', async () => {
    const figures = await large.run({ size: 30, pending: 40 });
    expect(figures).toMatchObject({ size: 30, pods: 30 * 30 + 40, pending: 40 });
    expect(Number(figures['placed']) + Number(figures['stuck'])).toBe(40);
    expect(figures['placed']).toBeGreaterThan(30);
  });
});

describe('the proof of a decision', () => {
  it('refuses one that raises less than its plan', () => {
    const room = { milliCpu: 1000, memoryBytes: 1000, pods: 10 };
    const input = fromZero(room, barePods(25, 'bare', 100, 100));
    const decision = decideScaleUp(input);
    expect(() => proveDecision(input, decision)).not.toThrow();
    const scaleUps = decision.scaleUps.map((raise) => ({ ...raise, to: raise.to - 1 }));
    expect(() => proveDecision(input, { ...decision, scaleUps })).toThrow(/planned/);
  });
});

describe('the trace of openb', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-openb-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (...rows: readonly string[]) =>
    writeFileSync(
      join(folder, 'pods.csv'),
      ['name,cpu_milli,memory_mib,num_gpu,gpu_milli', ...rows].join('\n'),
    );

  it('is packed with whole devices, for no more than first-fit decreasing', async () => {
    write(
      'a,12000,16384,1,460',
      'b,3000,8000,1,1000',
      'c,32000,65536,0,0',
      'd,60000,300000,4,1000',
    );
    const figures = await openb.run({ input: folder });
    expect(figures).toMatchObject({ pods: 4, placed: 4, firstFitUnplaced: 0 });
    expect(figures['price']).toBeLessThanOrEqual(figures['firstFitPrice'] as number);
    expect(figures['price']).toBeGreaterThanOrEqual(figures['lowerBound'] as number);
  });

  it('is refused in one line that names what is wrong', async () => {
    write('a,much,16384,1,460');
    await expect(openb.run({ input: folder })).rejects.toThrow(
      /^--input: .*pods\.csv, line 2: cpu_milli: is no whole number; give the trace unchanged$/,
    );
    await expect(openb.run({})).rejects.toThrow(/^--input: is missing; .*pods\.csv/);
    await expect(openb.run({ input: join(folder, 'none') })).rejects.toThrow(
      /^--input: .* cannot be read \(ENOENT\); give the folder/,
    );
  });
});

it('a plot is one page without anything from elsewhere, with a mark for each size', () => {
  const points = [
    { size: 50, seconds: 0.01 },
    { size: 5000, seconds: 0.2 },
    { size: 20_000, seconds: 0.9 },
  ];
  const html = plotHtml({ title: 'Packing', sizeOf: 'pods', points });
  expect(html).toMatch(/^<!doctype html>/);
  expect(html).not.toMatch(/https?:\/\/|src=|NaN|Infinity/);
  expect(html.match(/<circle /g)).toHaveLength(3);
});
