import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { fileRecordings } from '#adapters/files/recordings.ts';
import { PortError } from '#ports/port-error.ts';
import type { Recording } from '#ports/recordings.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const folderOf = (files: Readonly<Record<string, string | Buffer>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
};

const read = (files: Readonly<Record<string, string | Buffer>>): Promise<Recording> =>
  fileRecordings().read(folderOf(files));

const object = (kind: string, name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...more },
});
const list = (...items: unknown[]) => JSON.stringify({ kind: 'List', apiVersion: 'v1', items });
const names = (recording: Recording): readonly string[] =>
  recording.objects.map(({ content }) => {
    const { name } = content.metadata as { readonly name: string };
    return `${String(content.kind)} ${name}`;
  });

const good = list(object('Node', 'n1'));

describe('what kubectl prints', () => {
  it('is taken as a List, as Lists within Lists, as single objects and as YAML', async () => {
    const recording = await read({
      'a.txt': list(object('Node', 'n1'), { kind: 'List', items: [object('Pod', 'p1')] }),
      'b.json': JSON.stringify(object('Node', 'n2')),
      'c.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: p2\n---\n---\napiVersion: v1\nkind: List\nitems:\n- kind: Pod\n  metadata: {name: p3}\n',
      'd.json': `${JSON.stringify(object('Node', 'n3'))}\n${list(object('Node', 'n4'))}`,
      'deeper/e.json': JSON.stringify([object('Node', 'n5')]),
    });
    expect(names(recording)).toEqual([
      'Node n1',
      'Pod p1',
      'Node n2',
      'Pod p2',
      'Pod p3',
      'Node n3',
      'Node n4',
      'Node n5',
    ]);
    expect(recording.problems).toEqual([]);
  });

  it('names the items of a typed List after the List', async () => {
    const text = JSON.stringify({ kind: 'PodList', items: [{ metadata: { name: 'p' } }] });
    expect(names(await read({ 'raw.json': text }))).toEqual(['Pod p']);
    const yaml = 'kind: NodeList\nitems:\n- metadata: {name: n}\n';
    expect(names(await read({ 'raw.yaml': yaml }))).toEqual(['Node n']);
  });

  it('counts an object once, however often it was recorded', async () => {
    const recording = await read({ 'a.json': good, 'b.json': good });
    expect(names(recording)).toEqual(['Node n1']);
    expect(recording.notes.join()).toContain('more than once, the first counts: 1 object');
  });

  it('leaves kinds aside that no plan needs, and kinds of other API groups', async () => {
    const foreign = { ...object('Node', 'x'), apiVersion: 'longhorn.io/v1beta2' };
    const recording = await read({
      'a.json': list(object('Secret', 's'), foreign, object('Node', 'n')),
    });
    expect(names(recording)).toEqual(['Node n']);
    expect(recording.notes.join()).toContain('Secret (1), Node.longhorn.io (1)');
  });

  it('loses environment values, arguments and last-applied annotations', async () => {
    const pod = {
      ...object('Pod', 'p', {
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'SECRET', kept: 'yes' },
        managedFields: [],
      }),
      spec: { containers: [{ name: 'c', env: [{ value: 'SECRET' }], args: ['SECRET'] }] },
    };
    for (const text of [list(pod), JSON.stringify(pod), `${JSON.stringify([pod])}`]) {
      const kept = JSON.stringify((await read({ 'a.json': text })).objects);
      expect(kept).not.toContain('SECRET');
      expect(kept).toContain('"kept":"yes"');
    }
    const yaml = `kind: List\nitems:\n- ${JSON.stringify(pod)}\n`;
    expect(JSON.stringify((await read({ 'a.yaml': yaml })).objects)).not.toContain('SECRET');
  });

  it('names the kinds that are missing', async () => {
    const { notes } = await read({ 'a.json': good });
    expect(notes[0]).toMatch(/treated as empty: Pod, .*DaemonSet.*Auto Scaling groups/);
    expect(notes[0]).not.toMatch(/ Node,/);
  });
});

describe('what else people have at hand', () => {
  it('is told apart by content: AWS answers, single entries of them, prices, outrider.yaml', async () => {
    const recording = await read({
      '1': JSON.stringify({ AutoScalingGroups: [{ AutoScalingGroupName: 'g' }], NextToken: 'x' }),
      '2': JSON.stringify([{ InstanceType: 'm5.large', VCpuInfo: {}, MemoryInfo: {} }]),
      '3': JSON.stringify({ 'm5.large': 0.1, 'm5.xlarge': { onDemand: 0.2, spot: { a: 0.1 } } }),
      '4': 'clusters:\n  - name: a\n',
      '5': JSON.stringify({ Reservations: [] }),
    });
    expect(recording.aws.map(({ content }) => Object.keys(content)[0])).toEqual([
      'AutoScalingGroups',
      'InstanceTypes',
    ]);
    expect(recording.prices?.file).toBe('3');
    expect(recording.configuration).toEqual({ file: '4', text: 'clusters:\n  - name: a\n' });
    expect(recording.problems).toEqual([]);
    expect(recording.notes.join()).toContain('Reservations (1)');
  });

  it('does not take a kubeconfig for a configuration', async () => {
    const kubeconfig = 'apiVersion: v1\nkind: Config\nclusters:\n- name: a\n';
    const recording = await read({ 'a.json': good, config: kubeconfig });
    expect(recording.configuration).toBeUndefined();
    expect(recording.notes.join()).toContain('Config (1)');
  });

  it('reads UTF-16 and byte-order marks, as PowerShell writes them', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')]);
    expect(names(await read({ 'a.json': utf16 }))).toEqual(['Node n1']);
    expect(names(await read({ 'a.json': `\ufeff${good}` }))).toEqual(['Node n1']);
  });
});

describe('a file that cannot be used', () => {
  const cases: readonly [string, string | Buffer, object, RegExp][] = [
    [
      'cut off',
      list(object('Node', 'lost')).slice(0, -9),
      { code: 'truncated' },
      /record it again/,
    ],
    ['empty', '  \n', { code: 'empty' }, /is empty/],
    ['binary', Buffer.from([1, 0, 2]), { code: 'binary' }, /leave it out/],
    ['compressed', gzipSync('{}'), { code: 'compressed' }, /gunzip/],
    ['of no known content', 'hello there', { code: 'notAnObject' }, /no object/],
    ['an unknown object', '{"a": {"b": 1}}', { code: 'notRecognised' }, /kubectl .* aws/],
    ['broken JSON', '{"items": [1,\n2 3]}', { file: 'bad:2', code: 'notJson' }, /record it again/],
    ['broken YAML', 'kind: Pod\nmetadata:\n  name: [\n', { code: 'notYaml' }, /left out/],
    ['an item that is no object', list(7), { field: 'items[0]' }, /no object/],
  ];
  it.each(cases)(
    '%s is one problem, and the rest is read',
    async (_, content, problem, message) => {
      const recording = await read({ bad: content, 'good.json': good });
      expect(names(recording)).toEqual(['Node n1']);
      expect(recording.problems).toHaveLength(1);
      expect(recording.problems[0]).toMatchObject({
        file: expect.stringMatching(/^bad/),
        ...problem,
      });
      expect(recording.problems[0]?.message).toMatch(message);
    },
  );

  it('is one that points nowhere', async () => {
    const folder = folderOf({ 'good.json': good });
    symlinkSync('/does/not/exist', join(folder, 'bad'));
    const { problems } = await fileRecordings().read(folder);
    expect(problems).toEqual([expect.objectContaining({ file: 'bad', code: 'unreadable' })]);
  });

  it('leaves one broken YAML document out and keeps the others', async () => {
    const recording = await read({
      'a.yaml':
        'kind: Node\nmetadata: {name: n1}\n---\nkind: {\n---\nkind: Node\nmetadata: {name: n2}\n',
    });
    expect(recording.problems.length).toBeGreaterThan(0);
    expect(names(recording)).toContain('Node n1');
  });

  it('never sends a big broken JSON through the YAML parser', async () => {
    const text = `{"items":[${'{"kind":"Pod","metadata":{"name":"p"}},'.repeat(60_000)}`;
    const { problems } = await read({ 'big.json': text, 'good.json': good });
    expect(problems).toEqual([expect.objectContaining({ file: 'big.json', code: 'truncated' })]);
  });
});

describe('a folder', () => {
  it('with nothing usable is refused with the first reason and its remedy', async () => {
    const reading = read({ 'a.json': '{"items":[', 'b.json': '' });
    await expect(reading).rejects.toThrow(
      /holds nothing usable: a.json: is cut off .* \(and 1 more/,
    );
    await expect(read({})).rejects.toThrow(/holds nothing usable: record a cluster/);
  });

  it('that is not there is named', async () => {
    const reading = fileRecordings().read('/no/such/folder');
    await expect(reading).rejects.toThrow(/^\/no\/such\/folder does not exist/);
    await expect(reading).rejects.toBeInstanceOf(PortError);
  });
});

describe('the newest moment', () => {
  it('is the latest that objects tell of, not what lies ahead or in labels', async () => {
    const recording = await read({
      'a.json': list(
        {
          ...object('Pod', 'p', {
            creationTimestamp: '2026-01-01T00:00:00Z',
            deletionTimestamp: '2030-01-01T00:00:00Z',
            annotations: { startTime: '2031-01-01T00:00:00Z' },
          }),
          status: { conditions: [{ lastTransitionTime: '2026-01-02T00:00:00Z' }] },
        },
        {
          ...object('Node', 'n', { creationTimestamp: '2025-01-01T00:00:00Z' }),
          status: { conditions: [{ lastHeartbeatTime: '2026-01-03T00:00:00+01:00' }] },
        },
      ),
    });
    expect(recording.newestMs).toBe(Date.parse('2026-01-02T23:00:00Z'));
  });

  it('may be that of a Lease', async () => {
    const lease = {
      ...object('Lease', 'l'),
      apiVersion: 'coordination.k8s.io/v1',
      spec: { renewTime: '2026-01-04T00:00:00.123456Z' },
    };
    const recording = await read({ 'a.json': list(lease) });
    expect(recording.newestMs).toBe(Date.parse('2026-01-04T00:00:00.123Z'));
  });

  it('is none where no object tells of one', async () => {
    expect((await read({ 'a.json': good })).newestMs).toBeUndefined();
  });
});

describe('folders that links lead to', () => {
  it('are read once, the files of a folder before those of the folders in it', async () => {
    const folder = folderOf({ 'z.json': list(object('Node', 'n1')), 'a/b.json': good });
    symlinkSync('.', join(folder, 'loop'));
    symlinkSync('a', join(folder, 'b'));
    const recording = await fileRecordings().read(folder);
    expect(recording.objects.map(({ file }) => file)).toEqual(['z.json']);
    expect(recording.problems).toEqual([]);
    expect(recording.notes).toContain('recorded more than once, the first counts: 1 object');
  });

  it('are named where they are too deep', async () => {
    const { problems } = await read({ 'n.json': good, 'a/b/c/d/e.json': good });
    expect(problems).toEqual([
      { file: 'a/b/c/d', code: 'tooDeep', message: 'is deeper than 4 folders: move its files up' },
    ]);
  });
});

describe('text without end', () => {
  it('that is nested too deeply is said to be so', async () => {
    const { problems } = await read({
      'n.json': good,
      'flow.yaml': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      'block.yaml': `${'- '.repeat(20_000)}a`,
    });
    expect(problems).toHaveLength(2);
    for (const { message } of problems) expect(message).toContain('is nested too deeply: ');
  });
});

describe('the progress of reading', () => {
  it('goes up to the size of the file, also of long YAML', async () => {
    const items = Array.from({ length: 4000 }, (_, index) => object('Node', `n${index}`));
    const yaml = items.map(
      ({ metadata }) =>
        `- kind: Node\n  metadata:\n    name: y${metadata.name}\n    uid: 0123456789abcdef\n`,
    );
    const seen: { file: string; bytes: number; done: number }[] = [];
    await fileRecordings((progress) => seen.push(progress)).read(
      folderOf({
        'a.json': list(...items),
        'b.yaml': `apiVersion: v1\nitems:\n${yaml.join('')}kind: List\n`,
      }),
    );
    for (const file of ['a.json', 'b.yaml']) {
      const own = seen.filter((one) => one.file === file);
      const done = own.map((one) => one.done);
      expect(own.length).toBeGreaterThan(3999);
      expect(done).toEqual([...done].sort((a, b) => a - b));
      expect(done.at(-1)).toBeGreaterThan((own[0]?.bytes ?? 0) * 0.9);
      expect(done.at(-1)).toBeLessThanOrEqual(own[0]?.bytes ?? 0);
    }
  });
});

it('names only kinds that a plan reads as not in the snapshot', async () => {
  const { notes } = await read({ 'n.json': good });
  expect(notes[0]).toBe(
    'not in the snapshot, treated as empty: Pod, DaemonSet, Lease, Auto Scaling groups, launch template versions, instance types',
  );
});

const emptyList = (kind: string, apiVersion: string): string =>
  JSON.stringify({ apiVersion, kind, metadata: {}, items: [] });

it.each([
  ['JSON', { 'p.json': emptyList('PodList', 'v1') }],
  ['YAML', { 'p.yaml': 'apiVersion: v1\nkind: PodList\nitems: []\n' }],
  ['a List within a List', { 'p.json': `[${emptyList('PodList', 'v1')}]` }],
] as readonly (readonly [string, Readonly<Record<string, string>>])[])(
  'takes an empty List of a kind for the word that there are none: %s',
  async (_, files) => {
    const { notes } = await read({ 'n.json': good, ...files });
    expect(notes[0]).toMatch(/^not in the snapshot, treated as empty: DaemonSet, Lease, /);
  },
);

it.each([
  ['says no kind', emptyList('List', 'v1')],
  ['is of another group', emptyList('PodList', 'metrics.k8s.io/v1')],
])('learns nothing of pods from an empty List that %s', async (_, empty) => {
  const { notes } = await read({ 'n.json': good, 'p.json': empty });
  expect(notes[0]).toMatch(/treated as empty: Pod, DaemonSet/);
});
