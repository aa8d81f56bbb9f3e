import { beforeEach, describe, expect, it } from 'vitest';
import { type KnownClusters, knownClusters } from '#adapters/kubernetes/known-clusters.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import { parseResourceVersion } from '#adapters/kubernetes/resource-version.ts';
import { type Change, type ChangingList, changingList } from '../../../helpers/changing-list.ts';

const minute = 60_000;
let server: ChangingList;
let memory: KnownClusters;
let nowMs: number;

beforeEach(() => {
  server = changingList(20);
  memory = knownClusters();
  nowMs = 0;
});

const look = (followFrom = 10) =>
  kubernetesClusterApi(server.client, {
    known: memory.of('a'),
    followFrom,
    nowMs: () => nowMs,
  }).snapshot();

/** How the pods were read by a look: `list`, `one`, `watch`. */
const wayOf = async (followFrom?: number): Promise<readonly string[]> => {
  server.asked.length = 0;
  await look(followFrom);
  return server.asked
    .filter((asked) => asked.startsWith('/api/v1/pods '))
    .map((asked) => asked.replace('/api/v1/pods ', ''));
};

const change = (name: number, kind: Change['kind'] = 'modify'): void =>
  server.apply({ name, kind, skip: 0 });

describe('the objects of a large cluster', () => {
  it('are listed once, then brought up to date by a watch', async () => {
    expect(await wayOf()).toEqual(['list']);
    change(1);
    change(2, 'delete');
    change(30, 'create');
    expect(await wayOf()).toEqual(['one', 'watch']);
    const { snapshot } = await look();
    expect(snapshot.pods).toEqual(
      (await kubernetesClusterApi(server.client).snapshot()).snapshot.pods,
    );
    const names = snapshot.pods.map(({ name }) => name);
    expect(names).toContain('p030');
    expect(names).not.toContain('p002');
  });

  it('are taken as they are where no version has passed', async () => {
    await look();
    expect(await wayOf()).toEqual(['one']);
  });

  it('are listed each time where they are few', async () => {
    await look(21);
    expect(await wayOf(21)).toEqual(['list']);
  });

  it('keep their problems until they are mended', async () => {
    const before = (await look()).problems;
    expect(before.map(({ field }) => field)).toEqual([
      'pods[a/p000].spec.priority',
      'pods[a/p007].spec.priority',
      'pods[a/p014].spec.priority',
    ]);
    change(7, 'delete');
    expect((await look()).problems.map(({ field }) => field)).toEqual([
      'pods[a/p000].spec.priority',
      'pods[a/p014].spec.priority',
    ]);
  });

  it('are listed anew ten minutes after they were listed', async () => {
    await look();
    nowMs += 10 * minute;
    expect(await wayOf()).toEqual(['one']);
    nowMs += 1;
    expect(await wayOf()).toEqual(['list']);
    nowMs -= 1;
    expect(await wayOf()).toEqual(['list']);
  });

  it.each([403, 410, 429, 500, 504])(
    'are listed anew where the watch is refused with %i',
    async (status) => {
      await look();
      change(1);
      server.refuseWatch(status);
      expect(await wayOf()).toEqual(['one', 'watch', 'list']);
    },
  );

  it.each([
    ['differs', (count: number) => count + 1],
    ['is not told', () => undefined],
  ])('are listed anew where their number %s', async (_how, counting) => {
    await look();
    change(1);
    server.miscount(counting);
    expect((await wayOf()).at(-1)).toBe('list');
  });

  it('are listed anew where an event does not fit what is known, though their number does', async () => {
    await look();
    change(30, 'create');
    change(2, 'delete');
    server.distort((lines) =>
      lines
        .filter((line) => !line.includes('"DELETED"'))
        .map((line) => line.replace('"ADDED"', '"MODIFIED"')),
    );
    expect(await wayOf()).toEqual(['one', 'watch', 'list']);
  });

  it('are listed anew where a change is missing when a later event passes the version to be proven', async () => {
    const passing = [{ name: 1, kind: 'modify', skip: 0 }] as const;
    await look();
    change(30, 'create');
    server.meanwhile(passing);
    expect(await wayOf()).toEqual(['one', 'watch']);
    change(31, 'create');
    server.distort((lines) => lines.filter((line) => !line.includes('"p031"')));
    expect(await wayOf()).toEqual(['one', 'watch', 'list']);
    expect((await look()).snapshot.pods.map(({ name }) => name)).toContain('p031');
  });

  it('are listed anew where events come in another order', async () => {
    await look();
    change(1);
    change(1);
    change(2);
    server.distort(([first = '', second = '', ...rest]) => [second, first, ...rest]);
    expect(await wayOf()).toEqual(['one', 'watch', 'list']);
  });

  it('are listed anew where too many changed', async () => {
    await look();
    for (let index = 0; index <= 1_000; index += 1) change(1);
    expect(await wayOf()).toEqual(['one', 'watch', 'list']);
    for (let index = 0; index < 1_000; index += 1) change(1);
    expect(await wayOf()).toEqual(['one', 'watch']);
  });

  it('are listed anew where the server went back to an earlier version', async () => {
    await look();
    server = changingList(19);
    expect(await wayOf()).toEqual(['one', 'list']);
  });

  it('are listed by the second of two looks at once', async () => {
    await look();
    change(1);
    server.asked.length = 0;
    const [one, two] = await Promise.all([look(), look()]);
    expect(one).toEqual(two);
    expect(server.asked.filter((asked) => asked === '/api/v1/pods list')).toHaveLength(1);
  });

  it('are not kept where many cannot be read: they are counted', async () => {
    server = changingList(0);
    for (let name = 0; name <= 7_000; name += 1) change(name * 7, 'create');
    const { problems, snapshot } = await look();
    expect(snapshot.pods).toEqual([]);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.message).toMatch(/^6901 more problems of pods/);
    expect(memory.size()).toBe(0);
  });

  it('are forgotten beyond a number, first those of the cluster looked at longest ago', async () => {
    memory = knownClusters(50);
    const lookAt = (cluster: string) =>
      kubernetesClusterApi(server.client, {
        known: memory.of(cluster),
        followFrom: 10,
        nowMs: () => 0,
      }).snapshot();
    await lookAt('a');
    await lookAt('b');
    await lookAt('a');
    await lookAt('c');
    expect(memory.size()).toBe(40);
    expect(memory.of('b').take('pods')).toBeUndefined();
    expect(memory.of('a').take('pods')).toBeDefined();
    server = changingList(51);
    await lookAt('d');
    expect(memory.of('d').take('pods')).toBeUndefined();
  });
});

describe('a resource version', () => {
  it.each(['1', '12345678901234567890123'])('is a number of any length: %s', (text) => {
    expect(parseResourceVersion(text)).toBe(BigInt(text));
  });

  it.each(['', '0', '01', '-1', '1.0', ' 1', 'abc', 7, undefined, '1'.repeat(41)])(
    'cannot be compared where it is %j',
    (text) => {
      expect(parseResourceVersion(text)).toBeUndefined();
    },
  );
});
