import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/*
 * `node relay/bundle.ts FILE.mjs` writes the relay as one file that needs nothing but Node: for the container
 * image. Whoever runs it from a checkout does without.
 */

/** Node is offered CommonJS, which cannot be within an ES module; everybody else the same as ES modules. */
const yaml = new URL('../browser/index.js', import.meta.resolve('yaml'));

const [outfile, ...rest] = process.argv.slice(2);
if (outfile === undefined || rest.length > 0) {
  process.stderr.write('usage: node relay/bundle.ts FILE.mjs\n');
  process.exitCode = 2;
} else {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // ES modules first: esbuild drops unused exports of those only.
    mainFields: ['module', 'main'],
    alias: { yaml: fileURLToPath(yaml) },
    legalComments: 'none',
    logLevel: 'warning',
  });
  writeFileSync(outfile, outputFiles[0]?.contents ?? '');
}
