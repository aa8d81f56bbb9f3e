import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import { schedulingState } from '#scheduling/state/scheduling-state.ts';
import {
  nodeGroupsOf,
  type RawClusterSize,
  rawDaemonSets,
  rawNodes,
  rawPods,
} from '../../bench/raw-cluster.ts';
import { timed, timesOf } from '../../bench/timed.ts';

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

const size: RawClusterSize = { nodes: 24, runningPerNode: 30, pending: 300, kinds: 100, groups: 5 };

const list = (kind: string, apiVersion: string, items: Iterable<unknown>) => ({
  object: { kind: `${kind}List`, apiVersion, items: [...items] },
});

const read = () =>
  readClusterObjects([
    list('Node', 'v1', rawNodes(size)),
    list('Pod', 'v1', rawPods(size)),
    list('DaemonSet', 'apps/v1', rawDaemonSets()),
  ]);

describe('the cluster of the benchmark', () => {
  it('is read without a problem, in the size asked for', () => {
    const { snapshot, problems } = read();
    expect(problems).toEqual([]);
    expect(snapshot.nodes).toHaveLength(24);
    expect(snapshot.daemonSets).toHaveLength(3);
    const running = snapshot.pods.filter(({ nodeName }) => nodeName !== undefined);
    expect(running).toHaveLength(24 * 30);
    const pending = snapshot.pods.filter(({ nodeName }) => nodeName === undefined);
    expect(pending).toHaveLength(300);
    const state = schedulingState({ namespaces: [], storage: {} });
    expect(new Set(pending.map((pod) => state.questionOf(pod).id)).size).toBe(100);
  });

  it('is the same each time', () => {
    expect(read()).toEqual(read());
    expect(nodeGroupsOf(size)).toEqual(nodeGroupsOf(size));
  });

  it('has no node that is fuller than it can be', () => {
    const { nodes, pods } = read().snapshot;
    for (const { name, allocatable } of nodes) {
      const own = pods.filter(({ nodeName }) => nodeName === name);
      const asked = (resource: string) =>
        own.reduce((sum, { requests }) => sum + (requests[resource] ?? 0), 0);
      for (const resource of ['cpu', 'memory']) {
        expect(asked(resource)).toBeLessThan(allocatable[resource] ?? 0);
        expect(asked(resource)).toBeGreaterThan((allocatable[resource] ?? 0) * 0.7);
      }
    }
  });

  it('has every node in service in one group', () => {
    const { groups } = nodeGroupsOf(size);
    const claimed = read().snapshot.nodes.map(({ providerId }) => providerId);
    const instances = groups.flatMap((group) =>
      group.instances.map(({ id, zone }) => `aws:///${zone}/${id}`),
    );
    expect(instances.sort()).toEqual(claimed.sort());
  });
});

describe('the times of runs', () => {
  it('are medians, and the first one apart', () => {
    const runs = [9, 1, 80, 2, 3].map((value) => ({ wallSeconds: value * 2, cpuSeconds: value }));
    expect(timesOf(runs)).toEqual({ wallSeconds: 6, cpuSeconds: 3, coldCpuSeconds: 9 });
  });

  it('count all that the work takes', async () => {
    const { value, wallSeconds, cpuSeconds } = await timed(async () => {
      const end = performance.now() + 60;
      while (performance.now() < end);
      await new Promise((resolve) => setTimeout(resolve, 60));
      return 'done';
    });
    expect(value).toBe('done');
    expect(wallSeconds).toBeGreaterThan(0.11);
    expect(cpuSeconds).toBeGreaterThan(0.001);
    expect(cpuSeconds).toBeLessThan(10);
  });
});

describe('npm run bench -- --workload decide --json', () => {
  const decide = () => {
    const given = ['--size', '24', '--pending', '300', '--kinds', '100', '--groups', '5'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [main, '--workload', 'decide', ...given, '--json'],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return JSON.parse(stdout);
  };

  it('prints the documented fields, and the same decision each time', () => {
    const figures = decide();
    expect(figures).toMatchObject({
      workload: 'decide',
      size: 24,
      nodes: 24,
      pods: 24 * 30 + 300,
      pending: 300,
      kinds: 100,
      groups: 5,
    });
    expect(figures.placed + figures.stuck).toBe(300);
    expect(figures.fits).toBeGreaterThan(0);
    expect(figures.newNodes).toBeGreaterThan(0);
    expect(figures.placed).toBeGreaterThan(figures.fits);
    expect(figures.runs).toBeGreaterThanOrEqual(5);
    for (const time of [
      'wallSeconds',
      'cpuSeconds',
      'coldCpuSeconds',
      'readWallSeconds',
      'readCpuSeconds',
      'coldReadCpuSeconds',
    ]) {
      expect(figures[time], time).toBeGreaterThan(0);
    }
    // A page of pods is more than a megabyte of text.
    expect(figures.inputMiB).toBeGreaterThan(1);
    expect(figures.peakMemoryMiB).toBeGreaterThan(30);

    const again = decide();
    for (const same of ['placed', 'fits', 'stuck', 'newNodes', 'inputMiB']) {
      expect(again[same], same).toBe(figures[same]);
    }
  });
});
