import { describe, expect, it } from 'vitest';
import { emfMetrics } from '#adapters/aws/emf-metrics.ts';

describe('emfMetrics', () => {
  it('writes what CloudWatch turns into a metric, whatever a dimension is called', () => {
    const lines: string[] = [];
    emfMetrics(
      () => 42,
      (line) => lines.push(line),
    ).emit({
      name: 'NodesRequested',
      value: 3,
      unit: 'Count',
      dimensions: { Cluster: 'alpha', _aws: 'x' },
    });
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      Cluster: 'alpha',
      NodesRequested: 3,
      _aws: {
        Timestamp: 42,
        CloudWatchMetrics: [
          {
            Namespace: 'Outrider',
            Dimensions: [['Cluster', '_aws']],
            Metrics: [{ Name: 'NodesRequested', Unit: 'Count' }],
          },
        ],
      },
    });
  });
});
