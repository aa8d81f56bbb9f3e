import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Plan, type PlanRequest, plan } from '#operations/plan.ts';
import type { Recorded, Recording } from '#ports/recordings.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';

const basic = (file: string): Readonly<Record<string, unknown>> =>
  JSON.parse(
    readFileSync(
      fileURLToPath(new URL(`../../../examples/snapshots/basic/${file}`, import.meta.url)),
      'utf8',
    ),
  );

const recorded = (file: string): Recorded => ({ file, content: basic(file) });

/** Without its DaemonSets, which are YAML. */
const recording: Recording = {
  objects: [recorded('nodes-and-pods.json')],
  aws: ['auto-scaling-groups.json', 'launch-template-versions.json', 'instance-types.json'].map(
    recorded,
  ),
  prices: recorded('prices.json'),
  newestMs: Date.parse('2026-08-21T09:59:40Z'),
  problems: [{ file: 'x', code: 'empty', message: 'is empty' }],
  notes: ['a note'],
};

const clock = { nowMs: () => 1000 };

const planned = (request: Partial<PlanRequest> = {}) => {
  const outcome = plan({ recording, clusters: [], ...request }, clock);
  if ('refused' in outcome) throw new Error(outcome.refused);
  return outcome;
};

const pods = ({ scaleUps, fits, stuck, ignored }: Plan): readonly string[] =>
  [
    ...scaleUps.flatMap((raise) => raise.pods),
    ...[...fits, ...stuck, ...ignored].map(({ pod }) => pod),
  ].sort();

describe('a plan of the recorded cluster', () => {
  const { plan: result, input } = planned();

  it('accounts for every Pending pod once', () => {
    expect(pods(result)).toEqual([
      'ml/train-0',
      'shop/cart-5f7d9c6b84-m9x2h',
      'shop/checkout-7c9b6f5d4c-4gq7z',
      'shop/checkout-7c9b6f5d4c-9rd2k',
      'shop/checkout-7c9b6f5d4c-tw5nb',
    ]);
    expect(result.summary.pendingPods).toBe(5);
    expect(result.stuck.map(({ pod }) => pod)).toEqual(['ml/train-0']);
    expect(result.fits.map(({ pod }) => pod)).toEqual(['shop/cart-5f7d9c6b84-m9x2h']);
  });

  it('counts and prices the new nodes', () => {
    expect(result.summary.newNodes).toBe(3);
    expect(result.summary.hourlyCostBefore).toBe(0.278);
    expect(result.summary.hourlyCostAfter).toBe(0.623);
  });

  it('takes its time, cluster and region from the recording', () => {
    expect(input).toMatchObject({ cluster: 'shop', nowMs: recording.newestMs, ledger: [] });
    expect(input.nodeGroups.region).toBe('eu-central-1');
  });

  it('keeps the problems and notes of the recording', () => {
    expect(result.problems).toEqual(recording.problems);
    expect(result.notes).toEqual(['a note']);
  });

  it('uses the time that it is given, and the clock where nothing tells of one', () => {
    expect(planned({ nowMs: 5 }).input.nowMs).toBe(5);
    const { newestMs: _, ...timeless } = recording;
    expect(planned({ recording: timeless }).input.nowMs).toBe(1000);
  });
});

describe('kinds that nobody recorded', () => {
  const claimant = {
    file: 'pod.json',
    content: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'db-0', namespace: 'shop' },
      spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
      status: { phase: 'Pending' },
    },
  };
  const objects = [...recording.objects, claimant];

  it('are told where a Pending pod needs them', () => {
    const { plan: result, limits } = planned({ recording: { ...recording, objects } });
    expect(result.notes.at(-1)).toBe(
      'not in the snapshot, though Pending pods need them: PersistentVolumeClaim; add kubectl get persistentvolumeclaims -A -o json',
    );
    expect(limits.caveats).toContain(result.notes.at(-1));
  });

  it('are not told where their list is there and empty', () => {
    const emptyKinds = ['PersistentVolumeClaim'];
    const { plan: result } = planned({ recording: { ...recording, objects, emptyKinds } });
    expect(result.notes).toEqual(['a note']);
  });
});

describe('prices', () => {
  const priced = (content: Readonly<Record<string, unknown>>) =>
    planned({ recording: { ...recording, prices: { file: 'prices.json', content } } }).plan;

  it('leave the cost out and name the type where one is missing', () => {
    const { summary, problems } = priced({ 'm5.large': 0.1 });
    expect(summary.hourlyCostBefore).toBeUndefined();
    expect(summary.hourlyCostAfter).toBeUndefined();
    expect(problems).toContainEqual(
      expect.objectContaining({ file: 'prices.json', field: 't3.medium', code: 'priceMissing' }),
    );
  });

  it('that are none are named', () => {
    const { problems } = priced({
      'm5.large': '0.1',
      't3.medium': { onDemand: -1, spot: { a: true } },
    });
    expect(problems.filter(({ code }) => code === 'badPrice').map(({ field }) => field)).toEqual([
      'm5.large',
      't3.medium.onDemand',
      't3.medium.spot.a',
    ]);
  });

  it('are absent where nobody gave any', () => {
    const { prices: _, ...unpriced } = recording;
    const { summary, problems } = planned({ recording: unpriced }).plan;
    expect(summary).not.toHaveProperty('hourlyCostBefore');
    expect(problems).toEqual(recording.problems);
  });
});

describe('the groups of a plan', () => {
  const shop = {
    name: 'shop',
    discoveryTags: { 'k8s.io/cluster-autoscaler/shop': 'owned' },
    policy: { ...defaultScalingPolicy, maxNodesPerDecision: 1 },
  };
  const elsewhere = { ...shop, name: 'elsewhere', discoveryTags: { nowhere: '' } };
  const refusal = (request: Partial<PlanRequest>) => {
    const outcome = plan({ recording, clusters: [], ...request }, clock);
    return 'refused' in outcome ? outcome.refused : undefined;
  };

  it('are those of the only cluster of the configuration, by its policy', () => {
    const { input } = planned({ clusters: [shop] });
    expect(input.nodeGroups.groups).toHaveLength(3);
    expect(input.policy.maxNodesPerDecision).toBe(1);
  });

  it('are those of the cluster named, or it is asked for', () => {
    expect(planned({ clusters: [shop, elsewhere], cluster: 'shop' }).input.cluster).toBe('shop');
    expect(refusal({ clusters: [shop, elsewhere] })).toMatch(/--cluster .* shop, elsewhere/);
    expect(refusal({ clusters: [shop], cluster: 'other' })).toMatch(/other is not in .* shop$/);
  });

  it('are none where none carries the tags, and that is said', () => {
    const { input, plan } = planned({ clusters: [elsewhere] });
    expect(input.nodeGroups.groups).toEqual([]);
    expect(plan.notes.at(-1)).toBe('none of the 3 groups carries the tags nowhere');
  });

  it('are those of Cluster Autoscaler for a cluster named without a configuration', () => {
    expect(planned({ cluster: 'shop' }).input.nodeGroups.groups).toHaveLength(3);
    expect(refusal({ cluster: 'other' })).toBe(
      '--cluster other has no group: the groups are of shop',
    );
  });

  it('are all of them where none is marked, and that is said', () => {
    const untagged = {
      file: 'groups',
      content: {
        AutoScalingGroups: (
          basic('auto-scaling-groups.json').AutoScalingGroups as readonly object[]
        ).map((group) => ({ ...group, Tags: [] })),
      },
    };
    const { input, plan, limits } = planned({ recording: { ...recording, aws: [untagged] } });
    expect(input.nodeGroups.groups).toHaveLength(3);
    expect(input.cluster).toBe('snapshot');
    expect(plan.notes.at(-2)).toMatch(/all 3 groups are used/);
    expect(plan.notes.at(-1)).toBe(limits.caveats[0]);
    expect(limits.caveats).toEqual([
      expect.stringMatching(
        /^Deployed, none of these groups would be found: add the tag k8s.io\/cluster-autoscaler\/enabled/,
      ),
    ]);
    const named = planned({ recording: { ...recording, aws: [untagged] }, cluster: 'other' });
    expect(named.input.nodeGroups.groups).toEqual([]);
  });

  it('of several clusters are never planned together', () => {
    const [first, ...rest] = basic('auto-scaling-groups.json').AutoScalingGroups as readonly {
      readonly Tags: readonly object[];
    }[];
    const other = {
      ...first,
      Tags: [
        { Key: 'k8s.io/cluster-autoscaler/enabled', Value: '' },
        { Key: 'k8s.io/cluster-autoscaler/other', Value: '' },
      ],
    };
    const aws = [{ file: 'groups', content: { AutoScalingGroups: [other, ...rest] } }];
    const several = { recording: { ...recording, aws } };
    expect(refusal(several)).toBe(
      'groups of several clusters (other, shop): name one with --cluster other',
    );
    expect(planned({ ...several, cluster: 'other' }).input.nodeGroups.groups).toHaveLength(1);
  });

  it('are asked for where none are among the input, instead of tags on them', () => {
    const { plan, limits } = planned({ recording: { ...recording, aws: [] } });
    const asked =
      'no Auto Scaling groups among the input: add the output of aws autoscaling describe-auto-scaling-groups';
    expect(limits.caveats).toEqual([asked]);
    expect(plan.stuck[0]?.reasons).toEqual([{ code: 'noGroups', message: asked }]);
  });
});

describe('input that cannot be used', () => {
  const cutOff = { file: 'cluster.json', code: 'truncated', message: 'is cut off' };
  const unnamed = (kind: string) => ({ file: 'o', content: { kind, metadata: { labels: 7 } } });

  it('is refused where nothing is left of the cluster', () => {
    const lost = { ...recording, objects: [], problems: [cutOff, cutOff] };
    expect(plan({ recording: lost, clusters: [] }, clock)).toEqual({
      refused: 'no Node and no Pod could be read: cluster.json: is cut off (and 1 more problem)',
    });
    const nameless = { ...recording, objects: [unnamed('Node')], problems: [] };
    expect(plan({ recording: nameless, clusters: [] }, clock)).toHaveProperty('refused');
  });

  it('is no reason to refuse a cluster that has no node and no pod', () => {
    const bare = { ...recording, objects: [], problems: [] };
    expect(planned({ recording: bare }).limits.unusedInputs).toBe(0);
  });

  it('is counted by file and object, a faulty configuration once', () => {
    const fault = (field: string) => ({ file: 'f', field, code: 'x', message: 'm' });
    const problems = [cutOff, fault('pods[a/b].spec.x'), fault('pods[a/b].spec.y')];
    const faulty = planned({
      recording: { ...recording, problems },
      configurationProblems: [fault('clusters[0].mode'), fault('clusters[1].mode')],
    });
    expect(faulty.limits).toMatchObject({ unusedInputs: 3, defaultPolicy: true });
    expect(faulty.plan.problems).toHaveLength(5);
  });
});
