import { describe, expect, it } from 'vitest';
import { play, scenarioOf } from '../helpers/play-example.ts';

const scenario = (group: string, workload: string) =>
  scenarioOf(`title: Weights
groups:
  - { name: mixed, ${group} }
workloads:
  - { name: web, at: 10s, ${workload} }
`);

describe('a group with weights', () => {
  it('is raised once by the units of its nodes, and runs all pods on them', async () => {
    const { told, summary } = await play(
      scenario(
        'max: 40, instanceTypes: [m5.large], weights: { m5.large: 4 }',
        'replicas: 3, requests: { cpu: 1500m }',
      ),
    );
    expect(told('asked')).toEqual(['10.2 mixed: desired capacity 0 -> 12']);
    expect(summary.nodes).toMatchObject({ added: 3, removed: 0 });
    expect(summary.pods).toMatchObject({ placed: 3, lost: 0 });
  });

  it('gets no second raise where AWS takes its larger type', async () => {
    const { told, summary } = await play(
      scenario(
        'max: 40, instanceTypes: [m5.xlarge, m5.large], weights: { m5.xlarge: 4, m5.large: 2 }',
        'replicas: 4, requests: { cpu: 1500m }',
      ),
    );
    expect(told('asked')).toEqual(['10.2 mixed: desired capacity 0 -> 8']);
    expect(summary.nodes.added).toBe(2);
    expect(summary.pods).toMatchObject({ placed: 4, lost: 0 });
  });

  it('is raised further where pods want a node each and AWS has taken fewer and larger ones', async () => {
    const { told, summary } = await play(
      scenario(
        'max: 40, instanceTypes: [m5.xlarge, m5.large], weights: { m5.xlarge: 4, m5.large: 2 }',
        'replicas: 4, requests: { cpu: 100m }, hostPorts: [8080]',
      ),
    );
    expect(told('asked')[0]).toBe('10.2 mixed: desired capacity 0 -> 8');
    expect(told('asked').length).toBeGreaterThan(1);
    expect(summary.pods).toMatchObject({ placed: 4, lost: 0 });
  });

  it('stays below its maximum, and the pods beyond it wait', async () => {
    const { told, summary } = await play(
      scenario(
        'max: 9, instanceTypes: [m5.large], weights: { m5.large: 4 }',
        'replicas: 3, requests: { cpu: 1500m }',
      ),
    );
    expect(told('asked')).toEqual(['10.2 mixed: desired capacity 0 -> 8']);
    expect(summary.pods.placed).toBe(2);
  });
});
