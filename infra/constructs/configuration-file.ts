import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Configuration } from '#config/configuration.ts';
import { readConfiguration } from '#config/read-configuration.ts';
import { problemLine } from '#config/words.ts';

export interface CheckedFile {
  readonly configuration: Configuration;
  /** The same document as JSON, which is YAML too: the functions need not carry comments around. */
  readonly deployedPath: string;
}

/**
 * Reads and checks `outrider.yaml` at synthesis, so that a mistake stops the deployment and not the first
 * event after it. Throws one Error that names every problem with its line and remedy.
 */
export const checkConfigurationFile = (path: string): CheckedFile => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(
      `configurationFile: ${path} cannot be read; give the path of an outrider.yaml (examples/outrider.yaml is one)`,
      { cause },
    );
  }
  const result = readConfiguration(text, path);
  if ('problems' in result) {
    const lines = result.problems.map(problemLine);
    throw new Error(`configurationFile: ${path} is not usable:\n${lines.join('\n')}`);
  }
  const deployedPath = join(mkdtempSync(join(tmpdir(), 'outrider-')), 'configuration.json');
  writeFileSync(deployedPath, JSON.stringify(parse(text) ?? {}));
  return { configuration: result.configuration, deployedPath };
};
