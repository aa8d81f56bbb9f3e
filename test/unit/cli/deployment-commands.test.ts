import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'commands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing of a developer's own AWS settings, and nothing that could be reached. */
const nowhere = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(OUTRIDER_|AWS_|FORCE_COLOR)/.test(name)),
  ),
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};
const keys = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };
const region = { AWS_REGION: 'eu-central-1' };

const outrider = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = { ...region, ...keys },
) => {
  const run = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...nowhere, ...environment },
  });
  return { exit: run.status, out: run.stdout, err: run.stderr };
};

const commands: readonly (readonly string[])[] = [
  ['doctor'],
  ['scale-up', '--cluster', 'demo'],
  ['replay', 'demo/scale-up/1'],
  ['deadletters', 'retry', '--all'],
];
const named = commands.map((args) => [args.join(' '), args] as const);

describe('a command that speaks to a deployment', () => {
  it.each(named)('asks in one line for a region: %s', (_, args) => {
    const { exit, out, err } = outrider(args, keys);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toMatch(/^outrider [a-z -]+: no AWS region: set AWS_REGION[^\n]*\n$/);
  });

  it.each(named)('asks in one line for credentials: %s', (_, args) => {
    const { exit, out, err } = outrider(args, region);
    expect([exit, out]).toEqual([3, '']);
    expect(err).toMatch(/^outrider [a-z -]+: no AWS credentials: set AWS_PROFILE[^\n]*\n$/);
  });

  it('names the call where AWS cannot be reached', () => {
    const { exit, err } = outrider(['status'], {
      ...region,
      ...keys,
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    });
    expect(exit).toBe(3);
    expect(err).toMatch(/^outrider status: DescribeStacks \(Outrider\): [^\n]*\n$/);
  });
});

describe('wrong usage', () => {
  it.each([
    [['journal'], /give --cluster NAME for a list, or an ID/],
    [['journal', 'demo/scale-up/1', '--cluster', 'demo'], /give --cluster NAME for a list, or/],
    [['deadletters', 'retry'], /give IDs of letters, or --all/],
    [['deadletters', 'retry', 'x', '--all'], /give IDs of letters, or --all/],
    [['status', '--decisions', '0'], /Use a whole number from 1 to 100/],
    [['deadletters', 'list', '--limit', '1e9'], /Use a whole number from 1 to 1000/],
    [['scale-up'], /required option '--cluster <name>'/],
    [['snapshot', '--cluster', 'x'], /required option '--out <folder>'/],
    [['doctor', 'x'], /too many arguments.*: see outrider doctor --help/],
    [['statsu'], /unknown command 'statsu' \(Did you mean status\?\): see outrider --help/],
    [['schema', '--json'], /unknown option '--json': see outrider schema --help/],
    [['replay'], /missing required argument.*: see outrider replay --help/],
    [['status', '--cluster', ''], /'--cluster <name>' argument '' is invalid. Give a name\./],
    [['status', '--stack', ' '], /'--stack <name>' argument ' ' is invalid. Give a name\./],
    [['doctor', '--configuration', ''], /'--configuration <file>' .* Give a path\./],
    [['snapshot', '--cluster', 'x', '--out', ''], /'--out <folder>' argument '' .* Give a path\./],
    [['plan', '--snapshot', ''], /'--snapshot <path>' argument '' is invalid. Give a path\./],
    [['simulate', ''], /argument 'file'.* Give a path\./],
    [['replay', ''], /argument 'file-or-id'.* Give a file, or an ID such as/],
    [['journal', ''], /argument 'id'.* Give an ID such as demo\/scale-up\/17\./],
    [['journal', 'demo/1'], /"demo\/1" is no ID of a decision: write it as journal --cluster NAME/],
    [['deadletters', 'list', '--network', ''], /'--network <name>' .* Give a name\./],
    [['deadletters', 'retry', ''], /argument 'id'.* Give an ID\./],
  ])('is told in one line: %j', (args, said) => {
    const { exit, out, err } = outrider(args);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toMatch(said);
    expect(err.trimEnd()).not.toContain('\n');
  });

  it.each([
    ['OUTRIDER_TABLE', 'OUTRIDER_DECISIONS_BUCKET'],
    ['OUTRIDER_DECISIONS_BUCKET', 'OUTRIDER_TABLE'],
  ])('of half the environment of a journal names both halves: %s', (set, missing) => {
    for (const args of [
      ['replay', 'demo/scale-up/1'],
      ['journal', '--cluster', 'demo'],
    ]) {
      const { exit, err } = outrider(args, { ...region, ...keys, [set]: 'x' });
      expect(exit).toBe(2);
      expect(err).toBe(
        `outrider ${args[0]}: ${set} is set and ${missing} is not: set both, or neither\n`,
      );
    }
  });

  it.each([
    [{ AWS_PROFILE: 'nosuch' }, /^outrider status: AWS_PROFILE "nosuch" names no profile: /],
    [{ AWS_REGION: 'us east!' }, /^outrider status: AWS region "us east!" is none: set AWS_REGION/],
    [{ AWS_ENDPOINT_URL: 'nonsense' }, /^outrider status: AWS_ENDPOINT_URL "nonsense" is no addr/],
  ])('of the variables of AWS is told in one line: %j', (environment, said) => {
    const { exit, out, err } = outrider(['status'], { ...region, ...keys, ...environment });
    expect([exit, out]).toEqual([2, '']);
    expect(err).toMatch(said);
    expect(err.trimEnd()).not.toContain('\n');
  });

  it('prints help for deadletters alone', () => {
    const { exit, err } = outrider(['deadletters']);
    expect(exit).toBe(2);
    expect(err).toContain('Usage: outrider deadletters');
    expect(err).toMatch(/list .*\n.*retry /s);
  });
});

describe('outrider schema', () => {
  it('prints a JSON Schema', () => {
    const { exit, out } = outrider(['schema'], {});
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ title: 'outrider.yaml', type: 'object' });
  });
});
