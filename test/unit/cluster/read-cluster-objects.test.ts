import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';

const pod = (name: string, spec: unknown = {}, rest: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec,
  ...rest,
});

const node = (name: string, given: { spec?: unknown; status?: unknown } = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  ...given,
});

const read = (...objects: readonly unknown[]) =>
  readClusterObjects(objects.map((object) => ({ object })));

const requesting = (cpu: unknown) => ({ containers: [{ resources: { requests: { cpu } } }] });

describe('a pod with a field that cannot be used', () => {
  const containers = [
    { resources: { requests: { cpu: 'much', memory: '1Gi' } } },
    { resources: { requests: { cpu: '500m' } } },
  ];

  it('is kept with what could be read where it is on a node, and named all the same', () => {
    const { snapshot, problems } = read(
      pod('bound', { nodeName: 'n1', containers, tolerations: 7 }),
      pod('waiting', { containers }),
    );
    expect(snapshot.pods).toMatchObject([
      { name: 'bound', nodeName: 'n1', requests: { cpu: 500, memory: 2 ** 30 }, tolerations: [] },
    ]);
    expect(problems.map(({ field, message }) => [field, message.split('. ').at(-1)])).toEqual([
      [
        'pods[default/bound].spec.containers[0].resources.requests.cpu',
        'The Pod is kept without it.',
      ],
      ['pods[default/bound].spec.tolerations', 'The Pod is kept without it.'],
      ['pods[default/waiting].spec.containers[0].resources.requests.cpu', 'The Pod is left out.'],
    ]);
  });

  it('is left out where its name or its node is what cannot be read', () => {
    const nameless = { kind: 'Pod', metadata: {}, spec: { nodeName: 'n1' } };
    const { snapshot, problems } = read(nameless, pod('lost', { nodeName: 7 }));
    expect(snapshot.pods).toEqual([]);
    expect(problems.every(({ message }) => message.endsWith('is left out.'))).toBe(true);
  });
});

describe('readClusterObjects', () => {
  it('takes Lists apart, within each other, and typed lists whose elements name no kind', () => {
    const { snapshot, problems, kindsSeen } = read(
      { kind: 'List', items: [node('b'), { kind: 'List', items: [pod('p')] }] },
      { apiVersion: 'v1', kind: 'NodeList', items: [{ metadata: { name: 'a' } }] },
      { apiVersion: 'apps/v1', kind: 'DaemonSetList', items: [] },
    );
    expect(problems).toEqual([]);
    expect(snapshot.nodes.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(snapshot.pods.map(({ name }) => name)).toEqual(['p']);
    expect(kindsSeen).toEqual(['DaemonSet', 'Node', 'Pod']);
  });

  it('passes over kinds that it does not need, and kinds of other API groups', () => {
    const { snapshot, problems, kindsSeen } = read(
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: {} },
      { apiVersion: 'longhorn.io/v1beta2', kind: 'Node', metadata: { name: 'disk' }, spec: 7 },
    );
    expect(snapshot.nodes).toEqual([]);
    expect(problems).toEqual([]);
    expect(kindsSeen).toEqual(['Node.longhorn.io', 'PriorityClass']);
  });

  it('keeps the last of several objects with one kind, namespace and name', () => {
    const { snapshot } = read(
      pod('p', { nodeName: 'old' }),
      pod('q'),
      { ...pod('p'), metadata: { name: 'p', namespace: 'other' } },
      pod('p', { nodeName: 'new' }),
    );
    expect(snapshot.pods.map((one) => [one.namespace, one.name, one.nodeName])).toEqual([
      ['default', 'p', 'new'],
      ['default', 'q', undefined],
      ['other', 'p', undefined],
    ]);
  });

  it('keeps the last of them within one List too', () => {
    const items = [pod('p', { nodeName: 'old' }), pod('p', { nodeName: 'new' })];
    expect(read({ kind: 'List', items }).snapshot.pods.map(({ nodeName }) => nodeName)).toEqual([
      'new',
    ]);
  });

  it('leaves a pod out whose quantity does not parse, and names file, field, value and remedy', () => {
    const bad = pod('bad', requesting('1.5.Gi'));
    const { snapshot, problems } = readClusterObjects([
      { object: { kind: 'List', items: [bad, pod('good', requesting('1'))] }, file: 'pods.json' },
    ]);
    expect(snapshot.pods.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toEqual([
      {
        file: 'pods.json',
        field: 'pods[default/bad].spec.containers[0].resources.requests.cpu',
        code: 'quantityInvalid',
        message: expect.stringMatching(/"1\.5\.Gi".*write a number.*The Pod is left out\.$/),
      },
    ]);
  });

  it('leaves a node out whose quantity does not parse', () => {
    const { snapshot, problems } = read(
      node('bad', { status: { allocatable: { memory: '1GiB' } } }),
      node('good', { status: { allocatable: { memory: '1Gi' } } }),
    );
    expect(snapshot.nodes.map(({ name }) => name)).toEqual(['good']);
    expect(problems.map(({ field, code }) => [field, code])).toEqual([
      ['nodes[bad].status.allocatable.memory', 'quantityInvalid'],
    ]);
  });

  it.each<[string, unknown, string, string]>([
    [
      'a negative request',
      requesting('-1'),
      'spec.containers[0].resources.requests.cpu',
      'quantityNegative',
    ],
    [
      'a quantity that is an object',
      requesting({}),
      'spec.containers[0].resources.requests.cpu',
      'quantityInvalid',
    ],
    ['containers that are no list', { containers: 'web' }, 'spec.containers', 'listExpected'],
    [
      'a container that is no object',
      { containers: ['web'] },
      'spec.containers[0]',
      'objectExpected',
    ],
    [
      'a selector value that is no text',
      { nodeSelector: { ssd: true } },
      'spec.nodeSelector[ssd]',
      'textExpected',
    ],
    [
      'an unknown toleration operator',
      { tolerations: [{ operator: 'exists' }] },
      'spec.tolerations[0].operator',
      'valueUnknown',
    ],
    ['a priority that is a text', { priority: 'high' }, 'spec.priority', 'numberExpected'],
  ])('gives exactly one problem for %s', (_name, spec, field, code) => {
    const { snapshot, problems } = read(pod('p', spec), pod('q'));
    expect(snapshot.pods.map(({ name }) => name)).toEqual(['q']);
    expect(problems.map((problem) => [problem.field, problem.code])).toEqual([
      [`pods[default/p].${field}`, code],
    ]);
    expect(problems[0]?.message).toMatch(/The Pod is left out\.$/);
  });

  it('gives one problem for each bad field of one object', () => {
    const { problems } = read(pod('p', { priority: 'high', nodeSelector: { a: 1 } }));
    expect(problems.map(({ field }) => field)).toEqual([
      'pods[default/p].spec.nodeSelector[a]',
      'pods[default/p].spec.priority',
    ]);
  });

  it('tells a nameless object and what is no object at all', () => {
    const { problems } = read({ kind: 'Pod', metadata: {} }, 7, { metadata: {} });
    expect(problems.map(({ field, code }) => [field, code])).toEqual([
      [undefined, 'objectExpected'],
      [undefined, 'kindMissing'],
      ['pods[#1].metadata.name', 'nameMissing'],
    ]);
  });

  it('keeps labels named __proto__ and constructor as labels', () => {
    const raw = JSON.parse(
      '{"kind":"Node","metadata":{"name":"n","labels":{"__proto__":"x","constructor":"y"}}}',
    );
    const { snapshot } = read(raw);
    const labels = snapshot.nodes[0]?.labels ?? {};
    expect(JSON.stringify(labels)).toBe('{"__proto__":"x","constructor":"y"}');
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
  });

  it('reads the leases that tell of other scalers', () => {
    const { snapshot } = read({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'cluster-autoscaler', namespace: 'kube-system' },
      spec: {
        holderIdentity: 'ca-0',
        leaseDurationSeconds: 15,
        renewTime: '2026-08-21T10:00:00.250000Z',
      },
    });
    expect(snapshot.leases).toEqual([
      {
        namespace: 'kube-system',
        name: 'cluster-autoscaler',
        holder: 'ca-0',
        durationSeconds: 15,
        renewedAtMs: Date.UTC(2026, 7, 21, 10, 0, 0, 250),
      },
    ]);
  });
});
