import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { functionBuildOptions } from '../../../infra/bundling/esbuild-options.ts';
import { markSchemas } from '../../../infra/bundling/esbuild-plugins.ts';

const bundle = async (contents: string): Promise<string> => {
  const entry: Plugin = {
    name: 'entry',
    setup(builder) {
      builder.onResolve({ filter: /^virtual-entry$/ }, () => ({
        path: 'entry',
        namespace: 'entry',
      }));
      builder.onLoad({ filter: /.*/, namespace: 'entry' }, () => ({
        contents,
        resolveDir: process.cwd(),
      }));
    },
  };
  const options = functionBuildOptions('virtual-entry', 'out.mjs');
  const { outputFiles } = await build({
    ...options,
    plugins: [entry, ...(options.plugins ?? [])],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

describe('a bundle', () => {
  it('carries the shapes of the operations used, not of all', async () => {
    const text = await bundle(`
      import { DescribeInstanceTypesCommand, EC2Client } from '@aws-sdk/client-ec2';
      export const client = new EC2Client({});
      export const command = new DescribeInstanceTypesCommand({});
    `);
    // The name of the shape, without which the answer could not be read, and one that nobody asked for.
    expect(text).toContain('InstanceTypeInfo');
    expect(text).not.toContain('CreateVpnConnection');
    expect(text.length).toBeLessThan(350_000);
  });

  it('takes credentials from the environment only', async () => {
    const text = await bundle(`
      import { SQSClient } from '@aws-sdk/client-sqs';
      export const client = new SQSClient({});
    `);
    expect(text).toContain('AWS_SECRET_ACCESS_KEY');
    expect(text).not.toContain('sso_session');
    expect(text).not.toContain('AssumeRoleWithWebIdentity');
    // Of the client's package.json only the version that it names itself by.
    expect(text).not.toContain('"devDependencies"');
    expect(text).not.toContain('devDependencies:');
  });
});

describe('the bundle of forward-events', () => {
  it('asks Auto Scaling and carries nothing of EC2', async () => {
    const text = await bundle(`export * from './functions/forward-events/handler.ts';`);
    expect(text).toContain('DescribeAutoScalingGroups');
    expect(text).not.toContain('DescribeLaunchTemplateVersions');
  });
});

describe('a bundle with zod', () => {
  const contents = `
    import * as z from 'zod';
    const schema = z.strictObject({ name: z.string().min(1), count: z.optional(z.int()) });
    export const good = schema.safeParse({ name: 'a' }).success;
    export const bad = schema.safeParse({ name: '', count: 0.5, other: 1 }).error.issues.length;
    export const validated = schema['~standard'].validate({ name: 'a' }).value.name;
    export const refused = (() => { try { return z.toJSONSchema(schema); } catch (e) { return e.message; } })();
  `;

  it('checks as ever, and refuses to write JSON schemas, of which it has no code', async () => {
    const text = await bundle(contents);
    expect(text).not.toContain('json-schema.org');
    const url = `data:text/javascript,${encodeURIComponent(text)}`;
    expect({ ...(await import(/* @vite-ignore */ url)) }).toEqual({
      good: true,
      bad: 3,
      validated: 'a',
      refused: 'JSON schemas are not bundled: remove the plugin no-json-schemas',
    });
  });
});

/**
 * The largest bundle of a function, in bytes: Node compiles all of it at every cold start. A quarter is the product's
 * own: the filters, scores and packing that a decision is made with.
 */
const largestBundle = 850_000;

describe('the bundle of scale-up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-bundle-'));
  const file = join(folder, 'index.mjs');
  const entry = fileURLToPath(new URL('../../../functions/scale-up/handler.ts', import.meta.url));
  const built = build({ ...functionBuildOptions(entry, file), metafile: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is imported by Node as it is', async () => {
    const { warnings } = await built;
    expect(warnings).toEqual([]);
    const imported = `import(${JSON.stringify(file)}).then(({ handler }) => process.stdout.write(typeof handler))`;
    const out = execFileSync(process.execPath, ['--eval', imported], { encoding: 'utf8', env: {} });
    expect(out).toBe('function');
  });

  it(`has at most ${largestBundle} bytes`, async () => {
    const { metafile } = await built;
    const [output] = Object.values(metafile.outputs);
    const largest = Object.entries(output?.inputs ?? {})
      .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
      .slice(0, 8)
      .map(([path, { bytesInOutput }]) => `${bytesInOutput} ${path}`);
    expect(
      statSync(file).size,
      `look at what was imported last; a library may want a rule of its own in infra/bundling. Largest parts:\n${largest.join('\n')}\n`,
    ).toBeLessThanOrEqual(largestBundle);
  });
});

describe('markSchemas', () => {
  it('changes no value', async () => {
    const source = `const _a = "a";\nexport var A$ = [3, _a,\n    0, [[0, { [_a]: \`b\` }]], () => B$\n];\nvar B$ = [0, _a, 8];\nconst late = A$.length;\n`;
    const read = (text: string): unknown[] =>
      new Function(`${text.replaceAll('export ', '')} return [A$[1], A$[3], A$[4](), late];`)();
    const marked = markSchemas(source);
    expect(marked.match(/@__PURE__/g)).toHaveLength(2);
    expect(read(marked)).toEqual(read(source));
  });
});
