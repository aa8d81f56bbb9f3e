import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { awsFolder, emulatorPython } from './aws-environment.ts';
import { startChild } from './child.ts';
import { type EmulatorControl, emulatorControl } from './emulator-control.ts';
import { freePorts } from './free-ports.ts';
import type { Progress } from './run.ts';

/** AWS on this machine: ministack with the patches of aws/patches. */
export interface AwsEmulator {
  readonly endpoint: string;
  /** Of its process, whose children are the functions' processes. */
  readonly pid: number;
  /** What the SDK, the CLI and cdk need to speak to it and to nothing else. */
  readonly env: Readonly<Record<string, string>>;
  /** The same for clients made in this process: `new EC2Client(emulator.clientConfig)`. */
  readonly clientConfig: AwsClientConfig;
  readonly control: EmulatorControl;
  stop(): Promise<void>;
}

export interface AwsClientConfig {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface AwsEmulatorOptions {
  /** Must exist; logs and temporary files go there. */
  readonly folder: string;
  readonly progress: Progress;
  /** Evaluates IAM policies, with the own role of every function. Default: true. */
  readonly enforceIam?: boolean;
  /** How many times faster than the clock `rate(…)` rules run. Default: 1. */
  readonly scheduleSpeed?: number;
  /** When a group tries again after a failed launch, in seconds. Default: 2. */
  readonly launchRetrySeconds?: number;
}

export const awsRegion = 'us-east-1';
/** The account's root user; the emulator takes the key for the account's number. */
export const awsAccount = '000000000000';
const secretAccessKey = 'test';
const limitMs = 60_000;

/** Starts it on a free port of the loopback interface. */
export const startAwsEmulator = async (options: AwsEmulatorOptions): Promise<AwsEmulator> => {
  const temporary = join(options.folder, 'aws');
  mkdirSync(temporary, { recursive: true });
  const [python, [port = 0]] = await Promise.all([emulatorPython(options.progress), freePorts(1)]);
  const endpoint = `http://127.0.0.1:${port}`;
  const child = startChild({
    name: 'AWS emulator',
    command: python,
    args: [join(awsFolder, 'boot.py')],
    logFile: join(options.folder, 'aws-emulator.log'),
    env: {
      // Functions run on the first `node` of the path: the one that runs us.
      PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
      HOME: temporary,
      TMPDIR: temporary,
      S3_DATA_DIR: join(temporary, 's3'),
      GATEWAY_PORT: `${port}`,
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      MINISTACK_REGION: awsRegion,
      LAMBDA_EXECUTOR: 'local',
      IOT_MTLS_ENABLED: '0',
      NODE_OPTIONS: '--no-deprecation',
      PYTHONDONTWRITEBYTECODE: '1',
      AUTH: options.enforceIam === false ? 'false' : 'true',
      TESTBED_SCHEDULE_SPEED: `${options.scheduleSpeed ?? 1}`,
      TESTBED_LAUNCH_RETRY_SECONDS: `${options.launchRetrySeconds ?? 2}`,
    },
  });
  const control = emulatorControl(endpoint);
  try {
    await child.waitUntil(control.answers, limitMs);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return {
    endpoint,
    pid: child.pid,
    env: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: awsRegion,
      AWS_DEFAULT_REGION: awsRegion,
      AWS_ACCESS_KEY_ID: awsAccount,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    clientConfig: {
      endpoint,
      region: awsRegion,
      credentials: { accessKeyId: awsAccount, secretAccessKey },
    },
    control,
    stop: async () => {
      await child.stop();
      // What functions and buckets held; the log stays.
      rmSync(temporary, { recursive: true, force: true });
    },
  };
};
