import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const manifest: {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
} = JSON.parse(read('package.json'));

const installed = [
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.devDependencies),
].sort();

/** The packages that a table of the page gives a reason for. */
const justified = (page: string): readonly string[] =>
  [...page.matchAll(/^\| `([^`]+)` \| \S.{15,} \|$/gm)].map((match) => match[1] ?? '').sort();

describe('the record of dependencies', () => {
  it('has one line with a reason for each package, and none for others', () => {
    expect(justified(read('docs/adr/0001-dependencies.md'))).toEqual(installed);
  });

  it('does not count a package without a reason', () => {
    expect(justified('| `a` | because it does what we need |\n| `b` | |\n')).toEqual(['a']);
  });

  it('finds exact versions only', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});
