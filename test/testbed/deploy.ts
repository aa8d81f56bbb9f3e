import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AwsEmulator } from './aws-emulator.ts';
import { type Progress, run } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cdkProgram = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');

/** The outputs of the deployed stacks, by stack and output name. */
export type StackOutputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface DeployOptions {
  readonly emulator: AwsEmulator;
  readonly progress: Progress;
  /** The app's command. Default: that of cdk.json. */
  readonly app?: string;
  readonly context?: Readonly<Record<string, string>>;
}

/** Prepares the account for cdk; once per emulator, before the first deployment. */
export const bootstrap = async (emulator: AwsEmulator, progress: Progress): Promise<void> => {
  const account = emulator.clientConfig.credentials.accessKeyId;
  const target = `aws://${account}/${emulator.clientConfig.region}`;
  // Outside any app: none is needed, and the project's own would be synthesised for nothing.
  const elsewhere = mkdtempSync(join(tmpdir(), 'outrider-cdk-'));
  await cdk({ emulator, progress, folder: elsewhere }, ['bootstrap', target]);
  rmSync(elsewhere, { recursive: true });
};

/** Deploys every stack of a CDK app with plain `cdk deploy`. */
export const deployStacks = async (options: DeployOptions): Promise<StackOutputs> => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-cdk-'));
  const outputs = join(folder, 'outputs.json');
  const context = Object.entries(options.context ?? {});
  await cdk({ ...options, folder: root }, [
    ...['deploy', '--all', '--require-approval', 'never', '--progress', 'events'],
    ...['--output', join(folder, 'cdk.out'), '--outputs-file', outputs],
    ...context.flatMap(([name, value]) => ['--context', `${name}=${value}`]),
    ...(options.app === undefined ? [] : ['--app', options.app]),
  ]);
  const written = JSON.parse(readFileSync(outputs, 'utf8')) as StackOutputs;
  rmSync(folder, { recursive: true });
  return written;
};

export interface AppOptions {
  readonly emulator: AwsEmulator;
  /** The text of `outrider.yaml`. */
  readonly configuration: string;
  readonly progress: Progress;
}

/** Deploys the project's own app; gives the outputs of its stack. */
export const deployApp = async (options: AppOptions): Promise<Readonly<Record<string, string>>> => {
  const file = join(mkdtempSync(join(tmpdir(), 'outrider-configuration-')), 'outrider.yaml');
  writeFileSync(file, options.configuration);
  const outputs = await deployStacks({
    emulator: options.emulator,
    progress: options.progress,
    context: { configuration: file, removal: 'destroy' },
  });
  const own = outputs.Outrider;
  if (own === undefined) throw new Error('the app has no stack named Outrider');
  return own;
};

interface CdkRun {
  readonly emulator: AwsEmulator;
  readonly progress: Progress;
  readonly folder: string;
}

const cdk = async (
  { emulator, progress, folder }: CdkRun,
  args: readonly string[],
): Promise<void> => {
  const { PATH = '', HOME = tmpdir(), TMPDIR } = process.env;
  await run(process.execPath, [cdkProgram, ...args, '--no-notices', '--no-color', '--ci'], {
    workingFolder: folder,
    onLine: progress,
    // Nothing else of the environment: a developer's own AWS settings must not be reached by mistake.
    env: {
      PATH: [dirname(process.execPath), PATH].join(delimiter),
      HOME,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      ...emulator.env,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      // `npm run synth` validates the templates; here it would only cost time.
      CDK_VALIDATION: 'false',
    },
  });
};
