import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { PodView } from '#cluster/snapshot.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const zone = 'topology.kubernetes.io/zone';
const labels = { app: 'web', 'pod-template-hash': 'h1' };

function reading(spec: object) {
  const metadata = { name: 'web-1', namespace: 'shop', uid: 'u', labels };
  return readClusterObjects([{ object: { apiVersion: 'v1', kind: 'Pod', metadata, spec } }]);
}

function read(spec: object): PodView {
  const { snapshot, problems } = reading(spec);
  expect(problems).toEqual([]);
  const [pod] = snapshot.pods;
  if (!pod) throw new Error('no pod was read');
  return pod;
}

const selector = (matchExpressions: readonly object[] = []) => ({
  matchLabels: { app: 'web' },
  matchExpressions,
});

describe('affinity to pods', () => {
  const affinityOf = (term: object) =>
    read({ affinity: { podAffinity: { [required]: [{ topologyKey: zone, ...term }] } } })
      .podAffinity?.required[0];

  it('counts pods of its own namespace where the term names none', () => {
    expect(affinityOf({ labelSelector: { matchLabels: { app: 'web' } } })).toEqual({
      topologyKey: zone,
      selector: selector(),
      namespaces: ['shop'],
    });
    expect(affinityOf({ namespaces: ['a', 'b'] })?.namespaces).toEqual(['a', 'b']);
  });

  it('counts only selected namespaces where there is a selector of them, all where it is empty', () => {
    expect(affinityOf({ namespaceSelector: {} })).toEqual({
      topologyKey: zone,
      namespaces: [],
      namespaceSelector: { matchLabels: {}, matchExpressions: [] },
    });
  });

  it('has no selector where the term has none: it matches no pod', () => {
    expect(affinityOf({ matchLabelKeys: ['app'] })).not.toHaveProperty('selector');
  });

  it('reads both kinds, required and preferred with its weight', () => {
    const term = { topologyKey: zone, labelSelector: {} };
    const both = { [required]: [term], [preferred]: [{ weight: 5, podAffinityTerm: term }] };
    const pod = read({ affinity: { podAffinity: both, podAntiAffinity: both } });
    expect(pod.podAffinity?.required).toHaveLength(1);
    expect(pod.podAffinity?.preferred).toEqual([
      {
        weight: 5,
        term: {
          topologyKey: zone,
          selector: { matchLabels: {}, matchExpressions: [] },
          namespaces: ['shop'],
        },
      },
    ]);
    expect(pod.podAntiAffinity).toEqual(pod.podAffinity);
  });

  it('merges label keys into the selector of a pod that was never stored', () => {
    const keys = { matchLabelKeys: ['pod-template-hash', 'absent'], mismatchLabelKeys: ['app'] };
    expect(
      affinityOf({ labelSelector: { matchLabels: { app: 'web' } }, ...keys })?.selector,
    ).toEqual(
      selector([
        { key: 'pod-template-hash', operator: 'In', values: ['h1'] },
        { key: 'app', operator: 'NotIn', values: ['web'] },
      ]),
    );
  });

  it('leaves the selector of a stored pod as it is', () => {
    const stored = selector([
      { key: 'x', operator: 'Exists', values: [] },
      { key: 'pod-template-hash', operator: 'In', values: ['before-the-label-was-changed'] },
    ]);
    const keys = { matchLabelKeys: ['pod-template-hash'] };
    expect(affinityOf({ labelSelector: stored, ...keys })?.selector).toEqual(stored);
  });

  it('is absent where there are no terms', () => {
    const pod = read({ affinity: { podAffinity: { [required]: [] }, podAntiAffinity: {} } });
    expect(pod).not.toHaveProperty('podAffinity');
    expect(pod).not.toHaveProperty('podAntiAffinity');
  });
});

describe('topology spread', () => {
  const spreadOf = (constraint: object) =>
    read({ topologySpreadConstraints: [{ topologyKey: zone, maxSkew: 1, ...constraint }] })
      .topologySpread?.[0];

  it('honours affinity and ignores taints where no policy is given', () => {
    expect(spreadOf({ whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} })).toEqual({
      topologyKey: zone,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      selector: { matchLabels: {}, matchExpressions: [] },
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
    });
  });

  it('reads soft ones, minimum domains and policies', () => {
    const given = {
      whenUnsatisfiable: 'ScheduleAnyway',
      minDomains: 3,
      nodeAffinityPolicy: 'Ignore',
      nodeTaintsPolicy: 'Honor',
    };
    expect(spreadOf(given)).toEqual({ topologyKey: zone, maxSkew: 1, ...given });
  });

  it('merges label keys once, and again with the labels of now where they were changed', () => {
    const matchLabelKeys = ['pod-template-hash'];
    const inHash = (hash: string) => ({ key: 'pod-template-hash', operator: 'In', values: [hash] });
    const merged = (labelSelector: object) => spreadOf({ labelSelector, matchLabelKeys })?.selector;
    expect(merged(selector())).toEqual(selector([inHash('h1')]));
    expect(merged(selector([inHash('h1')]))).toEqual(selector([inHash('h1')]));
    expect(merged(selector([inHash('h0')]))).toEqual(selector([inHash('h0'), inHash('h1')]));
  });
});

describe('volumes', () => {
  const volumesOf = (...volumes: readonly object[]) => read({ volumes }).volumes;

  it('are claims, and claims made for the pod under a name of their own', () => {
    expect(
      volumesOf(
        { name: 'a', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
      ),
    ).toEqual([
      { kind: 'claim', claim: 'data', ephemeral: false },
      { kind: 'claim', claim: 'web-1-scratch', ephemeral: true },
    ]);
  });

  it('are the in-tree disks that filters look at', () => {
    expect(
      volumesOf(
        { awsElasticBlockStore: { volumeID: 'aws://us-east-1a/vol-1', readOnly: true } },
        { gcePersistentDisk: { pdName: 'disk' } },
        { iscsi: { iqn: 'iqn.2001-04.com.example:storage', targetPortal: '10.0.0.1' } },
        { rbd: { monitors: ['m1', 'm2'], image: 'i', readOnly: true } },
      ),
    ).toEqual([
      { kind: 'disk', plugin: 'ebs', handle: 'aws://us-east-1a/vol-1', readOnly: true },
      { kind: 'disk', plugin: 'gce', handle: 'disk', readOnly: false },
      { kind: 'disk', plugin: 'iscsi', handle: 'iqn.2001-04.com.example:storage', readOnly: false },
      { kind: 'disk', plugin: 'rbd', handle: 'm1/rbd/i', readOnly: true },
      { kind: 'disk', plugin: 'rbd', handle: 'm2/rbd/i', readOnly: true },
    ]);
  });

  it('leaves out the others', () => {
    const pod = read({
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', configMap: {} },
      ],
    });
    expect(pod).not.toHaveProperty('volumes');
  });
});

describe('constraints that cannot be used', () => {
  const term = (more: object) => ({
    affinity: { podAntiAffinity: { [required]: [{ topologyKey: zone, ...more }] } },
  });

  it.each([
    ['an affinity term without a topology key', term({ topologyKey: '' }), 'topologyKey'],
    [
      'a selector with In and no values',
      term({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
      'values',
    ],
    [
      'a selector with an operator of node selectors',
      term({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] } }),
      'operator',
    ],
    [
      'a weight of 0',
      { affinity: { nodeAffinity: { [preferred]: [{ weight: 0, preference: {} }] } } },
      'weight',
    ],
    ['a skew of 0', { topologySpreadConstraints: [{ topologyKey: zone, maxSkew: 0 }] }, 'maxSkew'],
  ])('%s is a problem that names the field', (_what, spec, field) => {
    const { snapshot, problems } = reading(spec);
    expect(snapshot.pods).toEqual([]);
    expect(problems.map((problem) => problem.field?.split('.').at(-1))).toEqual([field]);
  });
});

it('pods that are alike share their labels and constraints', () => {
  const pod = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { ...labels } },
    spec: {
      affinity: { podAffinity: { [required]: [{ topologyKey: zone, labelSelector: {} }] } },
      tolerations: [{ operator: 'Exists' }],
    },
  });
  const { snapshot } = readClusterObjects([{ object: pod('a') }, { object: pod('b') }]);
  const [a, b] = snapshot.pods;
  expect(a?.podAffinity).toBeDefined();
  expect(a?.labels).toBe(b?.labels);
  expect(a?.podAffinity).toBe(b?.podAffinity);
  expect(a?.tolerations).toBe(b?.tolerations);
});
