import { describe, expect, it } from 'vitest';
import type { SchedulingConstraints } from '#cluster/constraints.ts';
import { schedulingKey } from '#scheduling/scheduling-key.ts';
import { buildConstraints, buildPod } from '../../helpers/cluster-builders.ts';

describe('schedulingKey', () => {
  it('is the same for pods that differ in name, labels, priority and time only', () => {
    const a = buildPod('a', { requests: { cpu: 1, memory: 2 } });
    const b = buildPod('b', {
      requests: { memory: 2, cpu: 1 },
      labels: { x: 'y' },
      priority: 7,
      createdAtMs: 1,
    });
    expect(schedulingKey(a)).toBe(schedulingKey(b));
  });

  it('differs where any demand differs', () => {
    const expression = { key: 'a', operator: 'In', values: ['b'] } as const;
    const demands: readonly Partial<SchedulingConstraints>[] = [
      {},
      { requests: { cpu: 1 } },
      { requests: { cpu: 2 } },
      { requests: { memory: 1 } },
      { nodeSelector: { a: 'b' } },
      { nodeSelector: { a: 'c' } },
      { requiredNodeAffinity: [] },
      { requiredNodeAffinity: [{ matchExpressions: [expression], matchFields: [] }] },
      { requiredNodeAffinity: [{ matchExpressions: [], matchFields: [expression] }] },
      { tolerations: [{ operator: 'Exists' }] },
      { tolerations: [{ operator: 'Exists', key: 'a' }] },
      { tolerations: [{ operator: 'Equal', key: 'a' }] },
      { tolerations: [{ operator: 'Equal', key: 'a', value: 'b' }] },
      { tolerations: [{ operator: 'Exists', key: 'a', effect: 'NoExecute' }] },
      { hostPorts: [{ protocol: 'TCP', hostIp: '0.0.0.0', port: 80 }] },
      { hostPorts: [{ protocol: 'UDP', hostIp: '0.0.0.0', port: 80 }] },
      { hostPorts: [{ protocol: 'TCP', hostIp: '10.0.0.1', port: 80 }] },
      { notJudged: ['volumes'] },
    ];
    const keys = demands.map((given) => schedulingKey(buildConstraints(given)));
    expect(new Set(keys).size).toBe(demands.length);
  });
});
