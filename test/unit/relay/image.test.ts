import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import '../../helpers/own-temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const deploy = (name: string): readonly string[] =>
  readFileSync(join(root, 'relay/deploy', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const instructions = deploy('Dockerfile');
const runtime = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM')));
const copied = instructions
  .filter((line) => line.startsWith('COPY') && !line.includes('--from'))
  .flatMap((line) => line.split(' ').slice(1, -1));

/** Does what the build stage does, with the files that it copies and no others. */
const buildAsTheImage = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-image-'));
  for (const path of copied) cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bundle = join(mkdtempSync(join(tmpdir(), 'outrider-image-')), 'relay.mjs');
  execFileSync(process.execPath, [join(folder, 'relay/bundle.ts'), bundle]);
  return bundle;
};

describe('the image of the relay', () => {
  it('holds one file, that of the build stage, and runs it as nobody', () => {
    expect(instructions).toContain('RUN node relay/bundle.ts /relay.mjs');
    expect(runtime.slice(1)).toEqual([
      'ENV NODE_ENV=production',
      'COPY --from=build /relay.mjs /relay.mjs',
      'USER 65532:65532',
      'ENTRYPOINT ["node", "/relay.mjs"]',
    ]);
  });

  it('is built from what it copies, and nothing else reaches the build', () => {
    const [first, ...exceptions] = deploy('Dockerfile.dockerignore');
    expect(first).toBe('*');
    const allowed = exceptions.filter((line) => line.startsWith('!'));
    expect(allowed.map((line) => line.slice(1)).toSorted()).toEqual(copied.toSorted());
  });

  it('has a bundle that needs nothing beside it and tells nothing of where it was built', () => {
    const bundle = buildAsTheImage();
    const text = readFileSync(bundle, 'utf8');
    expect(text).not.toContain(root);
    expect(text).not.toContain(tmpdir());
    expect(text.length).toBeLessThan(700_000);
    const run = (...argv: readonly string[]) =>
      execFileSync(process.execPath, [bundle, ...argv], {
        cwd: dirname(bundle),
        env: {},
        encoding: 'utf8',
        stdio: 'pipe',
      });
    expect(run('--help')).toContain('outrider relay: ');
    expect(() => run()).toThrow(/outrider relay: --cluster is missing/);
  });
});
