import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followOracle } from '../oracle/follow.ts';
import { followText, sumOf } from '../oracle/follow-report.ts';
import { type OracleCluster, startOracleCluster } from '../oracle/oracle-cluster.ts';
import { withoutTestbed } from '../testbed/loud-skip.ts';

const progress = (): void => undefined;

describe.skipIf(await withoutTestbed())('plans beside the real kube-scheduler', () => {
  let cluster: OracleCluster;
  beforeAll(async () => {
    cluster = await startOracleCluster(progress, { binds: true });
  });
  afterAll(() => cluster?.stop());

  it('leaves no pod Pending after the first raise in 95 of 100 plans', async () => {
    const outcomes = await followOracle(cluster.admin, { cases: 20, seed: 1 }, progress);
    const sum = sumOf(outcomes);
    const left = outcomes.flatMap(({ name, left }) => left.map((pod) => `${name}: ${pod}`));
    expect(sum.planned).toBeGreaterThan(300);
    expect(sum.followed * 100, [...followText(sum), ...left].join('\n')).toBeGreaterThanOrEqual(
      sum.cases * 95,
    );
  });
});
