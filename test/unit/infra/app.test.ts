import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { configurationFile } from './synthesise.ts';

const app = fileURLToPath(new URL('../../../infra/app.ts', import.meta.url));

/** Runs the app as `cdk synth` does, without an account, a region or a home, and without bundles. */
const synth = (context: Readonly<Record<string, unknown>>) => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-app-'));
  const { status, stderr } = spawnSync(process.execPath, [app], {
    encoding: 'utf8',
    env: {
      CDK_VALIDATION: 'false',
      TMPDIR: tmpdir(),
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ 'aws:cdk:bundling-stacks': [], ...context }),
    },
  });
  return { status, stderr, folder };
};

describe('the app', () => {
  it('synthesises one stack, for any account and region, from the configuration given', () => {
    const { status, stderr, folder } = synth({ configuration: configurationFile() });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    expect(manifest.artifacts.Outrider.environment).toBe('aws://unknown-account/unknown-region');
    const template = JSON.parse(readFileSync(join(folder, 'Outrider.template.json'), 'utf8'));
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining([
        ...['EventBusName', 'TableName', 'DecisionsBucketName', 'DashboardName'],
        ...['ConfigurationBucket', 'ConfigurationKey', 'PagesTopicArn', 'FunctionRoleArns'],
        ...['ForwardFunctionName', 'ForwardQueueUrl', 'ForwardDeadLetterQueueUrl'],
        ...['NetworkopenQueueUrl', 'NetworkopenDeadLetterQueueUrl', 'NetworkopenFunctionName'],
      ]),
    );
  });

  it('accepts the example configuration', () => {
    const example = fileURLToPath(new URL('../../../examples/outrider.yaml', import.meta.url));
    expect(synth({ configuration: example }).status).toBe(0);
  });

  const far = `
clusters:
  - name: far
    account: { roleArn: "arn:aws:iam::222222222222:role/outrider-cluster", externalId: id-far }
`;

  it('synthesises the stack of another account where that is asked for, and no other', () => {
    const { status, stderr, folder } = synth({
      configuration: configurationFile(far),
      'account-role': '222222222222',
      'trusted-roles': 'arn:aws:iam::111111111111:role/a,arn:aws:iam::111111111111:role/b',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    expect(Object.keys(manifest.artifacts)).toContain('OutriderClusterAccount');
    expect(Object.keys(manifest.artifacts)).not.toContain('Outrider');
  });

  it.each([
    [{ 'account-role': 'true' }, 'context account-role: is true; give the number of an account'],
    [{ 'account-role': '222222222222' }, 'context trusted-roles: is missing'],
  ])('refuses %j', (context, message) => {
    const { status, stderr } = synth({ configuration: configurationFile(far), ...context });
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  it('refuses a removal policy that it does not know', () => {
    const { status, stderr } = synth({ configuration: configurationFile(), removal: 'maybe' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('context removal: is maybe; give retain or destroy');
  });
});
