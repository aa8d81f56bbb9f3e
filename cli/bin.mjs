#!/usr/bin/env node
/*
 * Starts the command line under a Node that runs TypeScript by itself (22.18 or newer). Under an older
 * one the project's own `node` package is used, found as npm lays out node_modules; so that
 * `npx outrider` works with whatever Node the machine has.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, 'main.ts');

const isCurrent = (version) => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
};

/** The nearest `node` package, from this folder upwards. */
const ownNode = (folder) => {
  const layouts = [
    join('node', 'bin', 'node'),
    join('node', 'bin', 'node.exe'),
    join('.bin', 'node'),
  ];
  for (const layout of layouts) {
    const path = join(folder, 'node_modules', layout);
    if (existsSync(path)) return path;
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : ownNode(parent);
};

const runUnder = (node) => {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  child.on('error', (error) => {
    process.stderr.write(`outrider: cannot start ${node}: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
};

if (isCurrent(process.version)) {
  // Not a static import: an older Node would fail on the TypeScript before this file could help.
  await import('./main.ts');
} else {
  const node = ownNode(here);
  if (node === undefined) {
    process.stderr.write(
      `outrider: Node ${process.version} is too old: run \`npm ci\` in the checkout, or use Node 22.18 or newer\n`,
    );
    process.exitCode = 2;
  } else {
    runUnder(node);
  }
}
