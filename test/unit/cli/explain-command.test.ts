import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { explainRecordedPod } from '#wiring/explain.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const forgotten = join(root, 'examples/snapshots/forgotten-toleration');
const refusals = join(root, 'examples/snapshots/refusals');
const folder = mkdtempSync(join(tmpdir(), 'explain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outrider = (...args: readonly string[]) => {
  const run = spawnSync(process.execPath, [join(root, 'cli/main.ts'), ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    },
  });
  return { exit: run.status, out: run.stdout, err: run.stderr };
};

const explainedJson = (...args: readonly string[]) => {
  const { exit, out } = outrider('explain', ...args, '--json');
  expect(exit).toBe(0);
  return JSON.parse(out);
};

describe('outrider explain', () => {
  it('prints exactly one JSON document with the fields of the contract', () => {
    const explained = explainedJson('default/web', '--snapshot', forgotten, '--nodes');
    expect(explained).toMatchObject({
      pod: 'default/web',
      cluster: 'demo',
      verdict: 'stuck',
      groups: [
        { group: 'batch-1a', code: 'untoleratedTaint' },
        { group: 'general-1a', code: 'insufficientResource' },
      ],
      nodes: [{ node: 'ip-10-0-1-20.eu-west-1.compute.internal', code: 'insufficientResource' }],
      problems: [],
    });
    expect(explained.remedies[0]).toMatchObject({
      kind: 'toleration',
      fitsOn: 1,
      outcome: { group: 'batch-1a' },
      note: expect.stringMatching(/^the namespace default allows it/),
    });
  });

  it('gives a patch that, pasted, gets the pod its node', () => {
    const { remedies } = explainedJson('default/web', '--snapshot', forgotten);
    const copy = join(folder, 'pasted');
    cpSync(forgotten, copy, { recursive: true });
    const list = JSON.parse(readFileSync(join(copy, 'cluster.json'), 'utf8'));
    const web = list.items.find(
      ({
        kind,
        metadata,
      }: {
        readonly kind: string;
        readonly metadata: { readonly name: string };
      }) => kind === 'Pod' && metadata.name === 'web',
    );
    Object.assign(web.spec, parse(remedies[0].patch).spec);
    writeFileSync(join(copy, 'cluster.json'), JSON.stringify(list));
    expect(explainedJson('default/web', '--snapshot', copy)).toMatchObject({
      verdict: 'scaleUp',
      outcome: { group: 'batch-1a' },
      groups: [{ code: 'chosen' }, { code: 'insufficientResource' }],
      remedies: [],
    });
  });

  it('gives patches that are YAML, whatever the remedy', async () => {
    for (const pod of ['spread', 'friend', 'apart', 'affinity', 'port', 'volume', 'class', 'two']) {
      const asked = { pod: `default/${pod}`, nodes: false };
      const explained = await explainRecordedPod({ snapshot: refusals }, asked);
      if ('refused' in explained) throw new Error(explained.refused);
      const { remedies } = explained;
      expect(remedies.length).toBeGreaterThan(0);
      for (const { patch } of remedies) {
        for (const part of patch.split('\n---\n')) expect(parse(part)).toBeTypeOf('object');
      }
    }
  });

  it('answers for a pod that runs and for one that has ended', () => {
    expect(explainedJson('default/ring-0', '--snapshot', refusals)).toMatchObject({
      verdict: 'fits',
      reason: { code: 'bound' },
    });
    expect(explainedJson('default/done', '--snapshot', refusals)).toMatchObject({
      verdict: 'ignored',
      reason: { code: 'ended' },
    });
  });

  it.each([
    [
      'a pod that is not there',
      ['default/wbe', '--snapshot', forgotten],
      /there is no pod default\/wbe: the nearest are default\/web/,
    ],
    [
      'no namespace',
      ['web', '--snapshot', forgotten],
      /"web" names no pod: write NAMESPACE\/POD, such as default\/web/,
    ],
    ['too many parts', ['a/b/c', '--snapshot', forgotten], /"a\/b\/c" names no pod/],
    ['no cluster', ['default/web'], /name a recorded cluster .* or a live one/],
    [
      'a live option with a snapshot',
      ['default/web', '--snapshot', forgotten, '--stack', 'S'],
      /--stack is of a live cluster/,
    ],
    [
      'a time without a snapshot',
      ['default/web', '--now', '2026-01-01T00:00:00Z'],
      /--now goes with/,
    ],
    [
      'a folder that is not there',
      ['default/web', '--snapshot', 'nowhere'],
      /nowhere does not exist/,
    ],
    ['no pod', ['--snapshot', forgotten], /missing required argument/],
  ])('exits 2 with one line for %s', (_, args, line) => {
    const { exit, out, err } = outrider('explain', ...args);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('exits 2 with one line where a live cluster cannot be asked for', () => {
    const { exit, out, err } = outrider('explain', 'default/web', '--cluster', 'shop');
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(/^outrider explain: no AWS region/);
  });
});
