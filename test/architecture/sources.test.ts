import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { breachesOf, type SourceRule, withoutComments } from './source-rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const productFiles = (): readonly string[] =>
  globSync('{shared,events,functions,infra,relay,cli,web}/**/*.{ts,mts,tsx}', { cwd: root }).map(
    (path) => path.replaceAll('\\', '/'),
  );

describe('the product', () => {
  it('breaks none of the rules that the lint cannot see', () => {
    const files = productFiles();
    expect(files.length).toBeGreaterThan(50);
    const breaches = files.flatMap((path) =>
      breachesOf({ path, text: readFileSync(join(root, path), 'utf8') }),
    );
    expect(breaches.map(({ path, line, rule }) => `${path}:${line} ${rule}`)).toEqual([]);
  });
});

describe('each rule', () => {
  const planted: readonly (readonly [SourceRule, string, string])[] = [
    ['random', 'shared/scaling/x.ts', 'export const x = Math.random();'],
    ['random', 'shared/scaling/x.ts', "export const x = Math['random']();"],
    ['random', 'shared/operations/x.ts', 'const { random } = Math;'],
    ['random', 'cli/x.ts', 'const m = Math;\nm.random();'],
    ['dynamicImport', 'functions/x/handler.ts', "const x = await import('./y.ts');"],
    ['dynamicImport', 'shared/wiring/x.ts', "const x = require('node:fs');"],
    ['dynamicImport', 'shared/wiring/x.ts', "import { createRequire } from 'node:module';"],
    ['dynamicImport', 'cli/commands/x.ts', "const x = await import('./y.ts');"],
    ['dynamicImport', 'cli/main.ts', "const x = await import('../shared/wiring/x.ts');"],
    ['dynamicImport', 'cli/x.ts', "new Function('return 1')();"],
    ['escapesRoom', 'shared/scaling/x.ts', "import { x } from '../cluster/x.ts';"],
    ['escapesRoom', 'shared/scaling/x.ts', "export * from '../../cli/x.ts';"],
    ['escapesRoom', 'shared/scaling/deep/x.ts', "import '../../ports/x.ts';"],
    ['escapesRoom', 'functions/scale-up/x.ts', "import { x } from '../../shared/wiring/x.ts';"],
    ['escapesRoom', 'cli/commands/x.ts', "import { x } from '../../../elsewhere/x.ts';"],
    ['escapesRoom', 'shared/config/x.ts', "import {\n  x,\n} from '../ports/x.ts';"],
    ['clockInPureRoom', 'shared/cluster/x.ts', 'export const x = new Date();'],
    ['clockInPureRoom', 'shared/cluster/x.ts', 'export const x = Date.now();'],
    ['clockInPureRoom', 'shared/world/x.ts', 'const D = Date;'],
    ['clockInPureRoom', 'shared/world/x.ts', "const D = globalThis['Date'];"],
    ['clockInPureRoom', 'shared/world/x.ts', 'performance.now();'],
    ['valueInPort', 'shared/ports/x.ts', "import { x } from '#scaling/x.ts';"],
    ['valueInPort', 'shared/ports/x.ts', "import { type X } from '#scaling/x.ts';"],
    ['valueInPort', 'shared/ports/x.ts', "import * as x from '#scaling/x.ts';"],
    ['valueInPort', 'shared/ports/x.ts', "import {\n  x,\n} from './port-error.ts';"],
    ['valueInPort', 'shared/ports/x.ts', "import '#scaling/x.ts';"],
    ['valueInPort', 'shared/ports/x.ts', "import type from '#scaling/x.ts';"],
    [
      'valueInPort',
      'shared/ports/x.ts',
      "import type { X } from './y.ts';\nimport x from './z.ts';",
    ],
    ['valueInPort', 'shared/ports/x.ts', "export * from '#scaling/x.ts';"],
    ['valueInPort', 'shared/ports/x.ts', "export {\n  x,\n} from '#scaling/x.ts';"],
    ['tooLong', 'cli/x.ts', 'const x = 1;\n'.repeat(401)],
    ['namesTestBed', 'shared/wiring/x.ts', "const x = 'test/testbed/main.ts';"],
    ['namesTestBed', 'shared/wiring/x.ts', '// only for the test bed: testbed'],
  ];
  it.each(planted)('%s is seen in %s: %s', (rule, path, text) => {
    expect(breachesOf({ path, text }).map((breach) => breach.rule)).toContain(rule);
  });

  const innocent: readonly (readonly [string, string])[] = [
    ['shared/scaling/x.ts', '// Math.random() and new Date() are refused here\n'],
    ['shared/scaling/x.ts', '/** import("x") */\nexport const x = Math.max(1, 2);\n'],
    ['shared/scaling/x.ts', "import { x } from './y.ts';\nimport { z } from '#cluster/z.ts';\n"],
    ['shared/scaling/deep/x.ts', "import { x } from '../y.ts';\n"],
    ['functions/scale-up/x.ts', "import { x } from '../lib/y.ts';\n"],
    ['shared/ports/x.ts', "import type { X } from '#scaling/x.ts';\n\nexport class Y {}\n"],
    [
      'shared/ports/x.ts',
      "import type {\n  X,\n} from './x.ts';\nimport type * as y from './y.ts';\n",
    ],
    ['shared/ports/x.ts', "export type { X } from '#scaling/x.ts';\n"],
    ['shared/adapters/aws/x.ts', "import { x } from '#ports/x.ts';\n"],
    ['cli/x.ts', 'export const now = () => new Date().toISOString();\n'],
    ['relay/main.ts', 'export const jitter = () => Math.random();\n'],
    ['cli/x.ts', 'const x = 1;\n'.repeat(400)],
  ];
  it.each(innocent)('lets pass in %s: %s', (path, text) => {
    expect(breachesOf({ path, text })).toEqual([]);
  });

  it('names the line', () => {
    const text = '/*\n * prose\n */\nexport const x = Math.random();\n';
    expect(breachesOf({ path: 'cli/x.ts', text })).toEqual([
      { path: 'cli/x.ts', line: 4, rule: 'random' },
    ]);
  });

  it('keeps strings that look like comments', () => {
    expect(withoutComments("const x = 'https://a'; // b")).toBe("const x = 'https://a';     ");
  });
});
