import { describe, expect, it } from 'vitest';
import { readConfiguration } from '#config/read-configuration.ts';
import { defaultGangPolicy } from '#scaling/policy.ts';

const read = (rest: string) =>
  readConfiguration(
    `clusters:\n  - name: shop\n${rest.replaceAll(/^/gm, '    ')}`,
    'outrider.yaml',
  );

const policyOf = (rest: string) => {
  const outcome = read(rest);
  if (!('configuration' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.configuration.clusters[0]?.policy;
};

const problemsOf = (rest: string): readonly string[] => {
  const outcome = read(rest);
  if ('configuration' in outcome) return [];
  return outcome.problems.map(({ field, message }) => `${field} ${message}`);
};

describe('what outrider.yaml says of choosing', () => {
  it('is an expander, or a chain of them', () => {
    expect(policyOf('mode: act')?.expander).toEqual(['least-waste']);
    expect(policyOf('scaling: { expander: price }')?.expander).toEqual(['price']);
    expect(policyOf('scaling: { expander: [priority, least-waste, priority] }')?.expander).toEqual([
      'priority',
      'least-waste',
    ]);
  });

  it('is prices, balancing, limits and gangs', () => {
    const policy = policyOf(`scaling:
  prices: { m5.large: 0.096, free: 0 }
  balanceSimilarGroups: false
  balancingIgnoreLabels: [example.com/rack]
  limits: { nodes: 100, newNodes: 10, resources: { cpu: 400, memory: 2Ti, nvidia.com/gpu: 8 } }
  gangs: { labels: [example.com/job] }`);
    expect(policy).toMatchObject({
      pricesMicro: { 'm5.large': 96_000, free: 0 },
      balanceSimilarGroups: false,
      balancingIgnoreLabels: ['example.com/rack'],
      limits: {
        nodes: 100,
        newNodes: 10,
        resources: { cpu: 400_000, memory: 2 * 1024 ** 4, 'nvidia.com/gpu': 8 },
      },
      gangs: { labels: ['example.com/job'], minimum: defaultGangPolicy.minimum },
    });
  });

  it('is the maximum and the headroom of a group', () => {
    const policy = policyOf(`groups:
  - match: web-*
    maxNodes: 7
    headroom: { nodes: 1, pods: { count: 5, requests: { cpu: 500m, memory: 1Gi } } }`);
    expect(policy?.groups).toEqual([
      {
        match: 'web-*',
        maxNodes: 7,
        headroom: { nodes: 1, pods: { count: 5, requests: { cpu: 500, memory: 1024 ** 3 } } },
      },
    ]);
  });

  it.each([
    ['scaling: { expander: random }', /expander.*least-waste/],
    ['scaling: { expander: [] }', /expander/],
    ['scaling: { expander: [price, cheapest] }', /expander\[1\].*least-waste/],
    ['scaling: { prices: { m5.large: "0.1" } }', /m5\.large.*dollars per hour/],
    ['scaling: { limits: { cores: 4 } }', /cores.*known here are nodes, newNodes, resources/],
    ['scaling: { limits: { resources: { cpu: many } } }', /cpu.*Kubernetes quantity/],
    ['groups: [{ match: a, headroom: { pods: { count: 2 } } }]', /requests/],
    ['groups: [{ match: a, maxNodes: -1 }]', /maxNodes/],
  ])('is refused with field and remedy: %s', (rest, message) => {
    expect(problemsOf(rest).join('\n')).toMatch(message);
  });
});
