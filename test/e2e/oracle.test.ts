import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askOracle, type OracleReport } from '../oracle/ask-oracle.ts';
import { randomScene, randomScenes } from '../oracle/generate/random-scene.ts';
import { readScenes } from '../oracle/kept-scenes.ts';
import { type OracleCluster, startOracleCluster } from '../oracle/oracle-cluster.ts';
import { plantedFaults } from '../oracle/planted-faults.ts';
import { disagreementText } from '../oracle/report.ts';
import { withoutTestbed } from '../testbed/loud-skip.ts';

const corpus = fileURLToPath(new URL('../oracle/corpus', import.meta.url));
const progress = (): void => undefined;
const told = ({ findings }: OracleReport): string =>
  findings.map(({ scene, disagreement }) => disagreementText(scene, disagreement)).join('\n');

/** What every filter says when it refuses, so that none is left out by the draws. */
const reasonsOfAllFilters = [
  'node(s) were unschedulable',
  'node(s) had untolerated taint(s)',
  "node(s) didn't match Pod's node affinity/selector",
  "node(s) didn't satisfy plugin(s) [NodeAffinity]",
  "node(s) didn't have free ports for the requested pod ports",
  'Insufficient cpu',
  'Insufficient memory',
  'Insufficient ephemeral-storage',
  'Insufficient example.com/device',
  'Insufficient hugepages-2Mi',
  'Too many pods',
  'node(s) had no available disk',
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  'node(s) exceed max volume count',
  "node(s) didn't find available persistent volumes to bind",
  "node(s) didn't match PersistentVolume's node affinity",
  'node(s) did not have enough free storage',
  'pod has unbound immediate PersistentVolumeClaims',
  'node(s) had no available volume zone',
  "node(s) didn't match pod topology spread constraints",
  "node(s) didn't match pod topology spread constraints (missing required label)",
  "node(s) didn't match pod affinity rules",
  "node(s) didn't match pod anti-affinity rules",
  "node(s) didn't satisfy existing pods anti-affinity rules",
];

describe.skipIf(await withoutTestbed())('the engine beside the real kube-scheduler', () => {
  let cluster: OracleCluster;
  beforeAll(async () => {
    cluster = await startOracleCluster(progress);
  });
  afterAll(() => cluster?.stop());

  it('agrees in 100,000 cases, which reach every filter', async () => {
    const scenes = randomScenes(1);
    const report = await askOracle(cluster, { scenes, cases: 100_000, progress });
    expect(report.disagreements, told(report)).toBe(0);
    expect(report.cases).toBeGreaterThanOrEqual(100_000);
    expect(report.passed).toBeGreaterThan(10_000);
    for (const reason of reasonsOfAllFilters) {
      expect(report.reasons[reason] ?? 0, reason).toBeGreaterThan(0);
    }
  });

  it('agrees about every scene of the corpus', async () => {
    const scenes = readScenes(corpus);
    const question = { scenes, cases: Number.POSITIVE_INFINITY, progress };
    const report = await askOracle(cluster, question);
    expect(report.disagreements, told(report)).toBe(0);
    expect(report.refusals).toEqual({});
    expect(report.scenes).toBe(scenes.length);
  });

  it('finds a fault that is planted, makes it small and keeps it', async () => {
    const [fault] = plantedFaults;
    if (fault === undefined) throw new Error('no fault is planted');
    const keep = mkdtempSync(join(tmpdir(), 'outrider-oracle-kept-'));
    try {
      // Some of its 50 nodes are cordoned.
      const question = { scenes: [randomScene(1, 11)], cases: 1, keep, progress };
      const report = await askOracle(cluster, { ...question, engine: fault.engine, most: 1 });
      const [finding] = report.findings;
      expect(finding, fault.name).toBeDefined();
      expect(finding?.scene.cluster.length).toBeLessThan(8);
      const [kept] = readScenes(keep);
      if (kept === undefined) throw new Error('nothing was kept');
      const again = { scenes: [kept], cases: 1, progress };
      expect((await askOracle(cluster, { ...again, engine: fault.engine })).disagreements).toBe(1);
      expect((await askOracle(cluster, again)).disagreements).toBe(0);
    } finally {
      rmSync(keep, { recursive: true });
    }
  });
});
