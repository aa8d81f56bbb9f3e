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

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      deploy: { type: 'boolean', default: false },
      prepare: { type: 'boolean', default: false },
      'no-iam': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
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
  // Only lines for a shell on standard output, so that they can be evaluated.
  process.stdout.write(exportLines(testbed));
  // A timer, since nothing else keeps a process alive whose children are not to do so.
  const awake = setInterval(() => undefined, 60_000);
  let relay: Child | undefined;
  try {
    if (values.deploy) {
      const deployed = deploy(testbed).then((child) => {
        relay = child;
      });
      await Promise.race([deployed, interrupted]);
    }
    say('ctrl-C ends it');
    await interrupted;
  } finally {
    clearInterval(awake);
    say('ending');
    await relay?.stop();
    await testbed.stop();
  }
  return 0;
};

/** Deploys the app and starts the relay; gives the relay. */
const deploy = async (testbed: Testbed): Promise<Child> => {
  const { emulator } = testbed;
  const startedMs = Date.now();
  await Promise.all([bootstrap(emulator, say), setUpDemonstration(testbed)]);
  const outputs = await deployApp({
    emulator,
    configuration: demonstrationConfiguration,
    progress: say,
  });
  say(`deployed after ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
  for (const [name, value] of Object.entries(outputs)) say(`  ${name} = ${value}`);
  const { EventBusName: bus = '', TableName = '', DecisionsBucketName = '' } = outputs;
  process.stdout.write(
    `export OUTRIDER_TABLE=${TableName}\nexport OUTRIDER_DECISIONS_BUCKET=${DecisionsBucketName}\n`,
  );
  const relay = await startRelay(testbed, { cluster, network, bus });
  say(
    `cluster ${cluster} is registered, with groups workers-a and workers-b; its relay is running`,
  );
  return relay;
};

const exportLines = ({ controlPlane, emulator }: Testbed): string =>
  Object.entries({ KUBECONFIG: controlPlane.kubeconfigPath, ...emulator.env })
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('');

process.exitCode = await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  return 1;
});
