import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { parse } from 'yaml';
import type { Configuration } from '#config/configuration.ts';
import { readConfiguration } from '#config/read-configuration.ts';
import { problemLine } from '#config/words.ts';

export interface CheckedFile {
  readonly configuration: Configuration;
  /** The document as it was written. */
  readonly text: string;
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
  return { configuration: result.configuration, text };
};

/**
 * Writes the document as JSON, which is YAML too (the functions need not carry comments around), beside the
 * templates, where it is an asset for as long as they are; gives its path.
 */
export const writeDeployedFile = (scope: Construct, text: string): string => {
  const json = JSON.stringify(parse(text) ?? {});
  const hash = createHash('sha256').update(json).digest('hex').slice(0, 16);
  const folder = Stage.of(scope)?.outdir;
  if (folder === undefined) {
    throw new Error('Outrider: is in no CDK app; give its stack an App as scope');
  }
  const path = join(folder, `outrider-configuration-${hash}.json`);
  writeFileSync(path, json);
  return path;
};
