import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiCallsOfFleet } from '../../bench/fleet/api-calls-of-fleet.ts';
import { type Api, quotas } from '../../bench/fleet/api-quotas.ts';
import { fleetClusters } from '../../bench/fleet/fleet-clusters.ts';
import { playFleet } from '../../bench/fleet/play-fleet.ts';
import { createTokenBucket } from '../../bench/fleet/token-bucket.ts';
import { activityOf, fillsOf } from '../../bench/fleet.ts';

const size = 120;
const clusters = fleetClusters(size);

describe('an hour of many clusters', () => {
  it('makes the calls that the arithmetic says, and no other', async () => {
    const { hour, looks, askingLooks } = await playFleet({ clusters, seed: 1, processes: 1 });
    const { 'ec2:DescribeInstanceTypes': types, 'sts:AssumeRole': roles, ...counted } = hour.calls;
    expect(counted).toEqual(apiCallsOfFleet(activityOf(clusters)));
    const fills = fillsOf(clusters, 1);
    expect(types).toBeLessThanOrEqual(fills['ec2:DescribeInstanceTypes'] ?? 0);
    expect(roles).toBeLessThanOrEqual(fills['sts:AssumeRole'] ?? 0);
    // One sweep in five asks AWS.
    expect(looks).toBeGreaterThan(size * 60);
    expect(askingLooks / looks).toBeLessThan(0.21);
  });

  it('with many processes makes no more than their caches explain, and throttles nobody', async () => {
    const processes = 10;
    const run = await playFleet({ clusters, seed: 1, processes });
    const exact = apiCallsOfFleet(activityOf(clusters));
    const fills = fillsOf(clusters, processes);
    for (const [api, count] of Object.entries(run.hour.calls) as [Api, number][]) {
      const least = exact[api] ?? 0;
      expect(count, api).toBeGreaterThanOrEqual(least);
      expect(count, api).toBeLessThanOrEqual(least + (fills[api] ?? 0));
    }
    expect(run.hour.throttled).toEqual({});
    expect(run.failedLooks).toBe(0);
    // Half of what AWS allows is left to everybody else.
    for (const [quota, tokens] of Object.entries(run.hour.fewestTokens)) {
      expect(tokens, quota).toBeGreaterThan((quotas[quota]?.tokens ?? 0) / 2);
    }
  });

  it('runs every pod, a fraction of a second after a hint and within a minute without one', async () => {
    const { toRaiseMs, podsLost } = await playFleet({ clusters, seed: 1, processes: 3 });
    expect(podsLost).toBe(0);
    const withPods = clusters.filter(({ podsAtMs }) => podsAtMs !== undefined);
    expect(toRaiseMs.hinted.length + toRaiseMs.swept.length).toBe(withPods.length);
    expect(Math.max(...toRaiseMs.hinted)).toBe(200);
    expect(toRaiseMs.swept.length).toBeGreaterThan(0);
    expect(Math.max(...toRaiseMs.swept)).toBeLessThanOrEqual(60_000);
  });

  it('is the same for the same seed', async () => {
    const few = fleetClusters(25);
    const play = () => playFleet({ clusters: few, seed: 7, processes: 2 });
    expect(await play()).toEqual(await play());
  });
});

describe('a token bucket', () => {
  it('gives what it holds at once, and then what comes in with time', () => {
    const bucket = createTokenBucket(3, 2);
    const takes = (nowMs: number, times: number) =>
      Array.from({ length: times }, () => bucket.take(nowMs));
    expect(takes(1_000, 4)).toEqual([true, true, true, false]);
    expect(takes(1_500, 2)).toEqual([true, false]);
    expect(takes(60_000, 4)).toEqual([true, true, true, false]);
    expect(bucket.left()).toBe(0);
  });
});

describe('docs/limits.md', () => {
  const limits = readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8');
  const [, chapter = ''] = limits.split('### A thousand clusters for an hour');

  it('gives the calls of a thousand clusters as the arithmetic has them', () => {
    const calls = apiCallsOfFleet(activityOf(fleetClusters(1000)));
    const { 'ec2:DescribeLaunchTemplateVersions': moving, ...exact } = calls;
    const text = (count: number | undefined) => (count ?? 0).toLocaleString('en-GB');
    expect(chapter).toContain(`${text(moving)} for \`$Default\``);
    expect(chapter).toContain(`| Kubernetes lists | ${text(exact['kubernetes:list'])} |`);
    const ofAws = Object.entries(exact).filter(([api]) => /^(auto|secrets|sqs|s3)/.test(api));
    for (const [api, count] of ofAws) expect(chapter).toContain(`| \`${api}\` | ${text(count)} |`);
    expect(ofAws).toHaveLength(6);
  });
});
