import { join } from 'node:path';
import { build } from 'esbuild';
import { functionBuildOptions } from './esbuild-options.ts';

/*
 * `node infra/bundling/bundle-function.ts ENTRY FOLDER` writes FOLDER/index.mjs. A process of its own,
 * because the CDK asks for bundles synchronously and esbuild runs plugins asynchronously only.
 */
const [entry, folder] = process.argv.slice(2);
if (entry === undefined || folder === undefined) {
  process.stderr.write('usage: bundle-function.ts ENTRY FOLDER\n');
  process.exitCode = 2;
} else {
  await build(functionBuildOptions(entry, join(folder, 'index.mjs')));
}
