import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import { planRecorded } from '#wiring/offline-plan.ts';
import { openOfflineSnapshot } from '#wiring/offline-snapshot.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const basic = join(root, 'examples/snapshots/basic');
const folder = mkdtempSync(join(tmpdir(), 'plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(OUTRIDER_|AWS_|FORCE_COLOR|NO_COLOR)/.test(name),
    ),
  ),
  // Nothing of a developer's own AWS settings.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};

const outrider = (...args: readonly string[]) => {
  const run = spawnSync(process.execPath, [join(root, 'cli/main.ts'), ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: environment,
  });
  return { exit: run.status, out: run.stdout, err: run.stderr };
};

const copyOfBasic = (name: string): string => {
  const copy = join(folder, name);
  cpSync(basic, copy, { recursive: true });
  return copy;
};

describe('outrider plan', () => {
  it('prints exactly one JSON document with the fields of the contract', () => {
    const { exit, out, err } = outrider('plan', '--snapshot', basic, '--json');
    expect(exit).toBe(0);
    const plan = JSON.parse(out);
    expect(plan).toMatchObject({
      cluster: 'shop',
      at: '2026-08-21T09:59:40Z',
      notes: [expect.stringMatching(/treated as empty: Lease$/)],
      scaleUps: [
        { group: 'shop-web-1a', zone: 'eu-central-1a', from: 1, to: 3, instanceType: 'm5.large' },
        { group: 'shop-web-1b', zone: 'eu-central-1b', from: 1, to: 2, instanceType: 'm5.large' },
      ],
      fits: [{ pod: 'shop/cart-5f7d9c6b84-m9x2h' }],
      stuck: [{ pod: 'ml/train-0' }],
      scaleDowns: [],
      blockers: [],
      problems: [],
      summary: { pendingPods: 5, stuckPods: 1, newNodes: 3, removedNodes: 0 },
    });
    expect(plan.stuck[0].reasons.map(({ group }: { readonly group: string }) => group)).toEqual([
      'shop-batch-1a',
      'shop-web-1a',
      'shop-web-1b',
    ]);
    expect(plan.summary.milliseconds).toBeGreaterThanOrEqual(0);
    expect(err).toMatch(/treated as empty: Lease\n/);
  });

  it('prints a table of 80 columns without escape codes when it is piped', () => {
    const { exit, out } = outrider('plan', '--snapshot', basic);
    expect(exit).toBe(0);
    expect(out).toContain('shop-web-1a  1 -> 3');
    expect(out).not.toContain('\u001b');
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('takes one file with everything in it', () => {
    const everything = [
      'nodes-and-pods',
      'auto-scaling-groups',
      'launch-template-versions',
      'instance-types',
    ]
      .map((name) => readFileSync(join(basic, `${name}.json`), 'utf8'))
      .join('');
    const file = join(folder, 'all.txt');
    writeFileSync(file, everything);
    const { out } = outrider('plan', '--snapshot', file, '--json');
    expect(JSON.parse(out).summary).toMatchObject({ pendingPods: 5, newNodes: 3 });
  });

  it('exits 1 for stuck pods only where that is asked for', () => {
    expect(outrider('plan', '--snapshot', basic, '--fail-on-stuck', '--json').exit).toBe(1);
  });

  it('plans the rest of a folder with broken files, one line for each', () => {
    const copy = copyOfBasic('broken');
    const list = readFileSync(join(basic, 'nodes-and-pods.json'), 'utf8');
    writeFileSync(join(copy, 'truncated.json'), list.slice(0, -200));
    writeFileSync(join(copy, 'outrider.yaml'), 'clusters:\n  - name: shop\n    mode: maybe\n');
    const { exit, out, err } = outrider('plan', '--snapshot', copy, '--json');
    expect(exit).toBe(0);
    const { problems, summary } = JSON.parse(out);
    expect(problems.map(({ file }: { readonly file: string }) => file)).toEqual([
      'truncated.json',
      'outrider.yaml:3',
    ]);
    expect(summary.newNodes).toBe(3);
    expect(err).toMatch(/^problem: truncated.json: is cut off/m);
    expect(err).toMatch(/^problem: outrider.yaml:3: clusters\[0\].mode: is "maybe": use observe/m);
  });

  it.each([
    ['a folder that is not there', ['--snapshot', 'nowhere'], /nowhere does not exist/],
    ['no snapshot', [], /--snapshot <path>' not specified: write outrider plan --snapshot FOLDER/],
    ['a folder without its option', ['mine'], /: write outrider plan --snapshot mine$/m],
    ['a time without a zone', ['--snapshot', basic, '--now', 'yesterday'], /--now "yesterday"/],
    ['an unknown cluster', ['--snapshot', basic, '--cluster', 'x'], /--cluster x .* shop/],
    [
      'a missing configuration',
      ['--snapshot', basic, '--configuration', 'c.yaml'],
      /c.yaml does not/,
    ],
    ['an unknown option', ['--snapshot', basic, '--jsn'], /--jsn/],
  ])('exits 2 with one line for %s', (_, args, line) => {
    const { exit, out, err } = outrider('plan', ...args);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says beside the plan that inputs are missing and that policy defaults were used', () => {
    const copy = copyOfBasic('incomplete');
    writeFileSync(join(copy, 'more.json'), '{"kind": "List", "items": [');
    writeFileSync(join(copy, 'outrider.yaml'), 'clusters:\n  - name: shop\n    mode: maybe\n');
    const { exit, out } = outrider('plan', '--snapshot', copy);
    expect(exit).toBe(0);
    const [, ...lines] = out
      .slice(0, out.indexOf('5 Pending pods'))
      .trimEnd()
      .split(/\s*\n\s*/);
    expect(lines.join(' ')).toBe(
      'Incomplete: 2 inputs were not used (see standard error); policy defaults were used, since the configuration is faulty',
    );
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, -200), /is cut off/],
    ['a table', () => 'NAME   READY   STATUS\nweb-1  0/1     Pending\n', /nodes-and-pods.json: /],
  ])('exits 2 with one line where the cluster itself is lost: %s', (name, change, why) => {
    const copy = copyOfBasic(`lost-${name.replace(' ', '-')}`);
    const file = join(copy, 'nodes-and-pods.json');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const { exit, out, err } = outrider('plan', '--snapshot', copy);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(/^outrider plan: no Node and no Pod could be read: /);
    expect(err).toMatch(why);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('exits 2 with one line where nothing is usable', () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    copyFileSync(join(basic, 'prices.json'), join(empty, 'prices.json'));
    const { exit, err } = outrider('plan', '--snapshot', empty, '--json');
    expect(exit).toBe(2);
    expect(err).toMatch(/^outrider plan: .* holds nothing usable: record a cluster/);
  });

  it('refuses a configuration that it was asked to plan by and that is wrong', async () => {
    const configuration = join(folder, 'wrong.yaml');
    writeFileSync(configuration, 'clusters:\n  - name: shop\n    mode: maybe\n');
    const planning = planRecorded({ snapshot: basic, configuration }, {});
    await expect(planning).rejects.toThrow(/wrong\.yaml:3: clusters\[0\]\.mode: is "maybe"/);
  });

  it('plans by the configuration that is named instead of the one in the folder', async () => {
    const configuration = join(folder, 'other.yaml');
    writeFileSync(configuration, 'clusters:\n  - name: other\n    discoveryTags: {nowhere: x}\n');
    const { clusters, recording } = await openOfflineSnapshot({ snapshot: basic, configuration });
    expect(clusters.map(({ name }) => name)).toEqual(['other']);
    expect(recording.notes.at(-1)).toMatch(/outrider.yaml is not used/);
  });
});

describe('outrider replay', async () => {
  const outcome = await planRecorded({ snapshot: basic }, {});
  if ('refused' in outcome) throw new Error(outcome.refused);
  const { input } = outcome;
  const decision = decideScaleUp(input);
  const stored = JSON.stringify({ input, decision, problems: [] });
  const fileOf = (name: string, content: string | Buffer): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };

  it('prints the decision again and exits 0 where it is the same, zipped or not', () => {
    for (const content of [stored, gzipSync(stored)]) {
      const { exit, out, err } = outrider('replay', fileOf('1.json', content), '--json');
      expect(exit).toBe(0);
      expect(JSON.stringify(JSON.parse(out))).toBe(JSON.stringify(decision));
      expect(err).toBe('the same decision, byte for byte\n');
    }
  });

  it('exits 1 and names the first place where it differs', () => {
    const other = stored.replace('"to":3', '"to":4');
    expect(other).not.toBe(stored);
    const { exit, out, err } = outrider('replay', fileOf('2.json', other));
    expect([exit, err]).toEqual([1, '']);
    expect(out).toMatch(/\nanother decision: scaleUps\[0\].to was 4, is 3\n$/);
  });

  it('tells people the verdict below the decision, in 80 columns', () => {
    const { exit, out, err } = outrider('replay', fileOf('6.json', stored));
    expect([exit, err]).toEqual([0, '']);
    expect(out).toMatch(/^shop: 2 groups to raise[\s\S]*\nthe same decision, byte for byte\n$/);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('asks for the region that the journal is in', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'cli/main.ts'), 'replay', 'demo/scale-up/1'],
      {
        encoding: 'utf8',
        env: {
          ...environment,
          OUTRIDER_TABLE: 't',
          OUTRIDER_DECISIONS_BUCKET: 'b',
        },
      },
    );
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      'outrider replay: no AWS region: set AWS_REGION, or region in the profile\n',
    ]);
  });

  it.each([
    [
      'what is neither a file nor an ID',
      'demo/1',
      /demo\/1 is neither a file nor an ID such as demo\/scale-up\/17/,
    ],
    ['an id without a journal', 'shop/scale-up/7', /no AWS region/],
    [
      'a file without a decision',
      fileOf('3.json', '{"input":{}}'),
      /input.snapshot.nodes is missing/,
    ],
    ['a file that is no JSON', fileOf('4.json', '{"input"'), /no JSON/],
    ['a damaged file', fileOf('5.gz', gzipSync(stored).subarray(0, 50)), /no JSON/],
  ])('exits 2 with one line for %s', (_, which, line) => {
    const { exit, out, err } = outrider('replay', which, '--json');
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});
