import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { NodeView, PodView } from '#cluster/snapshot.ts';
import { podKey } from '#cluster/snapshot.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import { explainPod } from '#scaling/explaining/explain-pod.ts';
import type { Explanation } from '#scaling/explaining/explanation.ts';
import { daemonSet, group, node, pod, scaleUpInput } from '../helpers/scaling-builders.ts';
import { scaleUpInputs } from './scale-up-inputs.ts';

const explained = (input: ScaleUpInput, pod: string): Explanation => {
  const explanation = explainPod(input, { pod, nodes: true });
  if ('refused' in explanation) throw new Error(explanation.refused);
  return explanation;
};

/** The verdict that the decision itself gives. */
const verdictIn = (input: ScaleUpInput, key: string): Explanation['verdict'] | undefined => {
  const { scaleUps, fits, stuck, ignored } = decideScaleUp(input);
  if (scaleUps.some(({ pods }) => pods.includes(key))) return 'scaleUp';
  if (fits.some((fit) => fit.pod === key)) return 'fits';
  if (stuck.some((one) => one.pod === key)) return 'stuck';
  return ignored.some((one) => one.pod === key) ? 'ignored' : undefined;
};

describe('an explanation', () => {
  it('says of every waiting pod what the decision says, and why by every group and node', () => {
    const explaining = fc.property(scaleUpInputs, fc.nat(), (input, choice) => {
      const waiting = input.snapshot.pods.filter(({ nodeName }) => nodeName === undefined);
      const one = waiting[choice % Math.max(waiting.length, 1)];
      if (one === undefined) return;
      const key = podKey(one);
      const explanation = explained(input, key);
      expect(explanation.verdict).toBe(verdictIn(input, key));
      expect(explanation.reason.message).not.toBe('');
      if (explanation.verdict === 'ignored') return;
      const names = input.nodeGroups.groups.map(({ name }) => name).sort();
      const [everywhere] = explanation.groups.length === 0 ? [explanation.reason] : [];
      if (everywhere === undefined) {
        expect(explanation.groups.map(({ group }) => group)).toEqual(names);
      }
      const told = new Set(explanation.nodes?.map((reason) => reason.node));
      expect(told.size).toBe(explanation.nodes?.length);
      expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
      expect(explained(structuredClone(input), key)).toEqual(explanation);
    });
    fc.assert(explaining, { numRuns: 60 });
  });

  it('tells remedies of stuck pods alone, those that change least first', () => {
    const explaining = fc.property(scaleUpInputs, (input) => {
      for (const { pod: key } of decideScaleUp(input).stuck.slice(0, 1)) {
        const { remedies } = explained(input, key);
        for (const { outcome, patch, fitsOn } of remedies) {
          expect(outcome.node ?? outcome.group).toBeDefined();
          expect(patch).not.toBe('');
          expect(fitsOn).toBeGreaterThan(0);
        }
      }
    });
    fc.assert(explaining, { numRuns: 40 });
  });
});

/* What no cluster should hold, and what the API server or somebody's file may hold all the same. */

const hostileText = fc.constantFrom(
  '',
  '__proto__',
  'constructor',
  'größe',
  '鍵',
  '\u202e',
  'a'.repeat(300),
);
const amount = fc.constantFrom(0, 1, 2 ** 31, 2 ** 53 - 1, -1);
const labels = fc.dictionary(hostileText, hostileText, { maxKeys: 4 });
const requirement = fc.record({
  key: hostileText,
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  values: fc.array(hostileText, { maxLength: 3 }),
} as const);
const term = fc.record({
  matchExpressions: fc.array(requirement, { maxLength: 3 }),
  matchFields: fc.array(
    requirement.map((one) => ({ ...one, key: 'metadata.name' })),
    { maxLength: 2 },
  ),
});
const selector = fc.record({
  matchLabels: labels,
  matchExpressions: fc.constant([]),
});
const topologyKey = fc.constantFrom(
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  '',
  'x',
);
const affinity = fc.record({
  required: fc.array(
    fc.record({ topologyKey, selector, namespaces: fc.constantFrom([], ['default'], ['gone']) }),
    { maxLength: 2 },
  ),
  preferred: fc.constant([]),
});

const hostilePod = fc
  .record(
    {
      labels,
      nodeSelector: labels,
      requests: fc.dictionary(fc.constantFrom('cpu', 'memory', 'x/y', '__proto__', ''), amount),
      requiredNodeAffinity: fc.array(term, { maxLength: 3 }),
      podAffinity: affinity,
      podAntiAffinity: affinity,
      tolerations: fc.array(
        fc.record({ key: hostileText, operator: fc.constantFrom('Exists', 'Equal', 'Gt', 'Lt') }),
        { maxLength: 2 },
      ),
      topologySpread: fc.array(
        fc.record({
          topologyKey,
          maxSkew: fc.constantFrom(1, 2 ** 31 - 1),
          minDomains: fc.constantFrom(1, 2 ** 31 - 1),
          whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
          nodeAffinityPolicy: fc.constantFrom('Honor', 'Ignore'),
          nodeTaintsPolicy: fc.constantFrom('Honor', 'Ignore'),
        }),
        { maxLength: 2 },
      ),
      volumes: fc.array(
        fc.record({ kind: fc.constant('claim'), claim: hostileText, ephemeral: fc.boolean() }),
        { maxLength: 2 },
      ),
      nominatedNodeName: hostileText,
      requiredFeatures: fc.array(hostileText, { maxLength: 1 }),
    } as const,
    { requiredKeys: [] },
  )
  .map((over) => pod('web', over as Partial<PodView>));

const hostileNode = fc
  .record({ labels, cpu: amount, memory: amount, pods: amount, bare: fc.boolean() })
  .map(({ labels: some, bare, ...amounts }): NodeView => {
    const view = node('n', { labels: some, allocatable: amounts });
    return bare ? { ...view, allocatable: {}, capacity: {}, ready: 'Unknown' } : view;
  });

describe('what no cluster should hold', () => {
  it('gets a reason and never an exception: contradictions, huge amounts, foreign letters', () => {
    const judging = fc.property(
      fc.array(hostilePod, { minLength: 1, maxLength: 3 }),
      fc.array(hostileNode, { maxLength: 2 }),
      labels,
      (pods, nodes, tags) => {
        const input = scaleUpInput({
          groups: [
            group('plain'),
            group('tagged', {
              zones: ['us-east-1a', 'us-east-1b'],
              tags: Object.fromEntries(
                Object.entries(tags).map(([key, value]) => [
                  `k8s.io/cluster-autoscaler/node-template/label/${key}`,
                  value,
                ]),
              ),
            }),
          ],
          nodes: nodes.map((view, index) => ({ ...view, name: `n-${index}` })),
          pods: pods.map((view, index) => ({ ...view, name: `web-${index}`, uid: `uid-${index}` })),
          daemonSets: [daemonSet('agent')],
        });
        const explanation = explained(input, 'default/web-0');
        expect(explanation.reason.message).not.toBe('');
        if (explanation.verdict !== 'stuck') return;
        expect(explanation.groups.length === 0 || explanation.groups.length === 2).toBe(true);
      },
    );
    fc.assert(judging, { numRuns: 150 });
  });

  it('is judged in time where a node has 10,000 labels', () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`label-${index}`, `value-${index}`]),
    );
    const explanation = explained(
      scaleUpInput({
        groups: [],
        nodes: [node('n', { labels: many })],
        pods: [pod('web', { nodeSelector: { 'label-77': 'value-7' } })],
      }),
      'default/web',
    );
    expect(explanation.remedies[0]?.message).toMatch(/^select label-77=value-77 instead/);
  });

  it('is read from objects without status, amounts at the edge of int64 and beyond', () => {
    const quantities = ['9223372036854775807', '9223372036854775808', '1E', '1e30', '-1', '1n'];
    for (const quantity of quantities) {
      const { snapshot } = readClusterObjects([
        { object: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'bare' } } },
        {
          object: {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'web', namespace: 'default' },
            spec: {
              containers: [
                { name: 'app', resources: { requests: { cpu: quantity, memory: quantity } } },
              ],
            },
            status: {
              phase: 'Pending',
              conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
            },
          },
        },
      ]);
      const input = { ...scaleUpInput(), snapshot };
      const explanation = explainPod(input, { pod: 'default/web', nodes: true });
      if ('refused' in explanation) {
        // Left out while reading: a quantity that the API server would not have stored.
        expect(snapshot.pods).toEqual([]);
      } else {
        expect(['stuck', 'scaleUp']).toContain(explanation.verdict);
        expect(explanation.nodes?.[0]).toMatchObject({ node: 'bare' });
      }
    }
  });
});
