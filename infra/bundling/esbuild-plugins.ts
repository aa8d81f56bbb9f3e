import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Marks the AWS SDK's schema constants as free of side effects, so that those of unused operations are
 * dropped. They are array literals with computed keys (`{ [_hE]: 404 }`), which esbuild must keep since a
 * computed key could run code; these are all string constants of the same file. Without this every
 * bundle with the EC2 client carries the shapes of all its operations: 0.5 MB and 70 ms.
 */
export const droppableSchemas: Plugin = {
  name: 'droppable-schemas',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/].*[\\/]schemas_\d+\.js$/ }, async ({ path }) => ({
      contents: markSchemas(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** Wraps each top-level `var Name = [ … ];` into a call that a bundler may drop. */
export const markSchemas = (source: string): string =>
  source.replace(
    /^((?:export )?(?:var|const) [\w$]+ = )(\[[\s\S]*?\]);$/gm,
    (_, head: string, value: string) => `${head}/* @__PURE__ */ (() => ${value})();`,
  );

/**
 * Lambda hands a function its credentials in environment variables, so the rest of the SDK's provider
 * chain (profiles, single sign-on, instance metadata, web identity with an STS client) is never asked:
 * 0.1 MB.
 */
export const environmentCredentials: Plugin = {
  name: 'environment-credentials',
  setup(build) {
    const namespace = 'environment-credentials';
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ resolveDir }) => ({
      path: 'provider',
      namespace,
      sideEffects: false,
      pluginData: resolveDir,
    }));
    build.onLoad({ filter: /.*/, namespace }, ({ pluginData }) => ({
      contents: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
      resolveDir: pluginData as string,
    }));
  },
};

/** Clients name their version in the User-Agent header and carry all of package.json for it: 12 KB. */
export const versionOnly: Plugin = {
  name: 'version-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/][^\\/]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/**
 * The SDK loads its event streams when an operation has one, which none of Outrider's do (S3 Select and the
 * like). A bundle has no "later", so they would be in every one: 11 KB.
 */
export const noEventStreams: Plugin = {
  name: 'no-event-streams',
  setup(build) {
    const namespace = 'no-event-streams';
    build.onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'event-streams', namespace } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace }, () => ({
      contents: `export class EventStreamSerde {
        constructor() {
          throw new Error('event streams are not bundled: remove the plugin no-event-streams');
        }
      }
      export const eventStreamSerdeProvider = undefined;`,
    }));
  },
};

/**
 * Every zod schema can turn itself into a JSON schema and so carries the code for it, which no function
 * asks for: 18 KB.
 */
export const noJsonSchemas: Plugin = {
  name: 'no-json-schemas',
  setup(build) {
    const filter = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
    build.onLoad({ filter }, async ({ path }) => ({
      contents: refuseExports(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** A module with the same names, each a function that throws; those that make a function make such a one. */
const refuseExports = (source: string): string => {
  const declared = /^export (?:function|const|\{ \w+ as) (\w+)/gm;
  const names = [...source.matchAll(declared)].map(([, name = '']) => name);
  return [
    'const refuse = () => {',
    "  throw new Error('JSON schemas are not bundled: remove the plugin no-json-schemas');",
    '};',
    ...names.map((name) =>
      name.startsWith('create')
        ? `export const ${name} = () => refuse;`
        : `export const ${name} = refuse;`,
    ),
  ].join('\n');
};
