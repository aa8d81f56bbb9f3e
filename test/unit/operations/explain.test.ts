import { describe, expect, it } from 'vitest';
import { type ExplainPorts, explainLive } from '#operations/explain.ts';
import { scaleUp } from '#operations/scale-up.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import {
  demands,
  lookRequest,
  simulatedCluster,
  simulatedSpec,
  simulatedWorkload,
} from '../../helpers/simulated-cluster.ts';

const policy = { ...defaultScalingPolicy, mode: 'act' as const };

const explained = async (ports: ExplainPorts, pod: string) => {
  const outcome = await explainLive(ports, { cluster: 'demo', policy, pod, nodes: true });
  if ('refused' in outcome) throw new Error(outcome.refused);
  return outcome;
};

/** A pod that waits. */
const waiting = async ({ clusterApi }: ExplainPorts): Promise<string> => {
  const { snapshot } = await clusterApi.snapshot();
  const pod = snapshot.pods.find(({ nodeName }) => nodeName === undefined);
  if (pod === undefined) throw new Error('every pod has a node');
  return `${pod.namespace}/${pod.name}`;
};

describe('explaining a live cluster', () => {
  it('says what the next look would do, and does not do it', async () => {
    const { ports, advanceSeconds } = simulatedCluster();
    advanceSeconds(3);
    const pod = await waiting(ports);
    const before = await ports.nodeGroups.discover();
    expect(await explained(ports, pod)).toMatchObject({ pod, cluster: 'demo', verdict: 'scaleUp' });
    expect(await ports.nodeGroups.discover()).toEqual(before);
    expect(await ports.ledger.read('demo')).toEqual([]);
  });

  it('counts on what was asked for, which only the ledger knows of', async () => {
    const { ports, advanceSeconds } = simulatedCluster();
    advanceSeconds(3);
    const pod = await waiting(ports);
    await scaleUp(ports, lookRequest('somebody'));
    const { verdict, outcome } = await explained(ports, pod);
    expect(verdict).toBe('fits');
    expect(outcome?.node).toMatch(/^group\/\S+\/coming-\d+$/);
  });

  it('has remedies for what nothing can host', async () => {
    const huge = simulatedWorkload({ name: 'huge', replicas: 1, constraints: demands(64_000) });
    const { ports, advanceSeconds } = simulatedCluster(simulatedSpec({ workloads: [huge] }));
    advanceSeconds(3);
    const { verdict, remedies } = await explained(ports, await waiting(ports));
    expect(verdict).toBe('stuck');
    expect(remedies.map(({ kind }) => kind)).toContain('request');
  });
});
