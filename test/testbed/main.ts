import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { emulatorPython } from './aws-environment.ts';
import type { Child } from './child.ts';
import { findBinaries } from './control-plane-binaries.ts';
import {
  demonstrationCluster as cluster,
  demonstrationConfiguration,
  demonstrationNetwork as network,
  setUpDemonstration,
} from './demonstration.ts';
import { bootstrap, deployApp } from './deploy.ts';
import { startRelay } from './relay.ts';
import { startTestbed, type Testbed, testbedAvailable } from './testbed.ts';

/*
 * `npm run testbed`: a cluster and an account on this machine until ctrl-C. With `-- --deploy` the
 * project's own app runs on it, with a demonstration cluster and two groups.
 */

const usage = `npm run testbed [-- --deploy] [-- --no-iam] [-- --prepare]
  --deploy  deploys the app onto the test bed, with a demonstration cluster and two groups
  --prepare only makes what is slow to make (the control plane's build, the emulator's
            environment) and ends
  --no-iam  lets every call through, whatever its role may do
`;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => resolve());
  }
});

const readFlags = () => {
  const { values } = parseArgs({
    options: {
      deploy: { type: 'boolean', default: false },
      prepare: { type: 'boolean', default: false },
      'no-iam': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return values;
};

const main = async (): Promise<number> => {
  let values: ReturnType<typeof readFlags>;
  try {
    values = readFlags();
  } catch (error) {
    // The first sentence names the flag; the rest speaks of parseArgs.
    const said = error instanceof Error ? error.message : String(error);
    say(`${said.split('. ')[0]}: ${usage.slice(0, usage.indexOf('\n'))}`);
    return 2;
  }
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const missing = await testbedAvailable();
  if (missing !== undefined) {
    say(missing);
    return 3;
  }
  if (values.prepare) {
    await Promise.all([findBinaries(say), emulatorPython(say)]);
    say('the test bed is prepared');
    return 0;
  }
  const startedMs = Date.now();
  say('bringing up the control plane and the AWS emulator');
  const testbed = await startTestbed({
    progress: say,
    aws: { enforceIam: !values['no-iam'] },
  });
  say(`up after ${((Date.now() - startedMs) / 1000).toFixed(1)} s; logs in ${testbed.folder}`);
  // A timer, since nothing else keeps a process alive whose children are not to do so.
  const awake = setInterval(() => undefined, 60_000);
  let relay: Child | undefined;
  try {
    let names = environmentOf(testbed);
    if (values.deploy) {
      const deployed = deploy(testbed).then((result) => {
        relay = result.relay;
        names = { ...names, ...result.names };
      });
      await Promise.race([deployed, interrupted]);
    }
    say('In another terminal:');
    // Only lines for a shell on standard output, so that they can be evaluated.
    for (const [name, value] of Object.entries(names)) {
      process.stdout.write(`export ${name}=${value}\n`);
    }
    say('ctrl-C ends it');
    await interrupted;
  } finally {
    clearInterval(awake);
    say('ending');
    await relay?.stop();
    await testbed.stop();
    say(`ended; logs are kept in ${testbed.folder}`);
  }
  return 0;
};

/** Deploys the app and starts the relay; gives the relay and the names that commands need. */
const deploy = async (testbed: Testbed) => {
  const { emulator } = testbed;
  const log = join(testbed.folder, 'deploy.log');
  const progress = (line: string): void => appendFileSync(log, `${line}\n`);
  const startedMs = Date.now();
  say(`deploying the app; cdk's output is in ${log}`);
  await Promise.all([bootstrap(emulator, progress), setUpDemonstration(testbed)]);
  const outputs = await deployApp({
    emulator,
    configuration: demonstrationConfiguration,
    progress,
  });
  say(`deployed after ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
  const { EventBusName: bus = '', TableName = '', DecisionsBucketName = '' } = outputs;
  const relay = await startRelay(testbed, { cluster, network, bus });
  say(
    `cluster ${cluster} has the groups workers-a (m5.large) and workers-b (m5.xlarge); its relay runs`,
  );
  return {
    relay,
    names: { OUTRIDER_TABLE: TableName, OUTRIDER_DECISIONS_BUCKET: DecisionsBucketName },
  };
};

const environmentOf = ({ controlPlane, emulator }: Testbed): Readonly<Record<string, string>> => ({
  KUBECONFIG: controlPlane.kubeconfigPath,
  ...emulator.env,
});

process.exitCode = await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  return 1;
});
