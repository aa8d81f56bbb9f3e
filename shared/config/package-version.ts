import { readFileSync } from 'node:fs';

/** The version of this package; it is also the engine version that decisions are journalled with. */
export const packageVersion = (): string => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const { version } = manifest as { readonly version?: unknown };
  return typeof version === 'string' ? version : 'unknown';
};
