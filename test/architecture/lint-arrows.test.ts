import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrows } from './arrows.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

interface Planted {
  readonly file: string;
  readonly text: string;
  readonly rule?: string;
}

const importOf = (specifier: string): string =>
  `import * as x from '${specifier}';\n\nexport const y = x;\n`;

const planted = new Map<string, Planted>();

const plant = (key: string, room: string, one: Omit<Planted, 'file'>): void => {
  if (planted.has(key)) throw new Error(`planted twice: ${key}`);
  planted.set(key, { ...one, file: `${room}/planted-${planted.size}.ts` });
};

const restricted = 'lint/style/noRestrictedImports';

for (const { room, right, wrong } of arrows) {
  for (const specifier of right) {
    plant(`${room} imports ${specifier}`, room, { text: importOf(specifier) });
  }
  for (const specifier of wrong) {
    plant(`${room} imports ${specifier}`, room, { text: importOf(specifier), rule: restricted });
  }
}

/** What a pure room and the operations may not even name. */
const globals = 'lint/style/noRestrictedGlobals';
const uses: readonly (readonly [string, string, string | undefined])[] = [
  ['shared/scaling', 'Date.now()', globals],
  ['shared/scaling', 'globalThis.Date', globals],
  ['shared/scaling', 'performance.now()', globals],
  ['shared/scaling', 'process.argv', globals],
  ['shared/scaling', "fetch('x')", globals],
  ['shared/scaling', 'crypto.randomUUID()', globals],
  ['shared/scaling', 'setTimeout(() => undefined, 1)', globals],
  ['shared/scaling', 'Math.max(1, 2)', undefined],
  ['shared/operations', 'Date.now()', globals],
  ['shared/operations', 'process.argv', globals],
  ['shared/adapters/aws', 'Date.now()', undefined],
  ['shared/adapters/aws', 'process.env.HOME', 'lint/style/noProcessEnv'],
  ['shared/wiring', 'process.env.HOME', 'lint/style/noProcessEnv'],
  ['functions/scale-up', 'process.env.HOME', 'lint/style/noProcessEnv'],
  ['cli/commands', 'process.env.HOME', 'lint/style/noProcessEnv'],
  ['relay', 'process.env.HOME', 'lint/style/noProcessEnv'],
  ['shared/config', 'process.env.HOME', undefined],
  ['shared/operations', "console.log('x')", 'lint/suspicious/noConsole'],
  ['functions/scale-up', "console.log('x')", 'lint/suspicious/noConsole'],
];
for (const [room, use, rule] of uses) {
  const text = `export const y = () => ${use};\n`;
  plant(`${room} uses ${use}`, room, rule === undefined ? { text } : { text, rule });
}

const zod = "import { z } from 'zod';\n\nexport const y = z;\n";
plant('config takes zod by name', 'shared/config', { text: zod, rule: restricted });
plant('an event takes zod by name', 'events', { text: zod, rule: restricted });
plant('a command reads a file itself', 'cli/commands', {
  text: importOf('node:fs'),
  rule: 'lint/correctness/noNodejsModules',
});
plant('a default export', 'shared/wiring', {
  text: 'export default 1;\n',
  rule: 'lint/style/noDefaultExport',
});

const cycle = 'lint/suspicious/noImportCycles';
const nextFile = planted.size;
for (const [key, other] of [
  ['a file imports one that imports it', nextFile + 1],
  ['a file is imported by one that it imports', nextFile],
] as const) {
  plant(key, 'shared/scaling', { text: importOf(`./planted-${other}.ts`), rule: cycle });
}

/** The rules that the one lint run found broken, by planted file. */
const broken = new Map<string, readonly string[]>();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrows-'));
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const { file, text } of planted.values()) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
  const run = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const report = JSON.parse(run.stdout) as {
    readonly diagnostics: readonly {
      readonly category: string;
      readonly location: { readonly path: string };
    }[];
  };
  for (const { category, location } of report.diagnostics) {
    const file = location.path.replaceAll('\\', '/');
    broken.set(file, [...(broken.get(file) ?? []), category]);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the lint', () => {
  it('holds arrows of every room that there is', () => {
    const rooms = readdirSync(join(root, 'shared')).map((room) => `shared/${room}`);
    const held = arrows.map(({ room }) => room);
    expect(rooms.filter((room) => !held.some((one) => one.startsWith(room)))).toEqual([]);
  });

  const all = [...planted];

  it.each(all.filter(([, { rule }]) => rule !== undefined))('refuses: %s', (_, { file, rule }) => {
    expect(broken.get(file) ?? []).toContain(rule);
  });

  it.each(all.filter(([, { rule }]) => rule === undefined))('lets pass: %s', (_, { file }) => {
    expect(broken.get(file) ?? []).toEqual([]);
  });
});
