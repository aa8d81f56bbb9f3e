import type { Child } from '../../testbed/child.ts';
import { registerCluster } from '../../testbed/demonstration.ts';
import { bootstrap, deployApp } from '../../testbed/deploy.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import { startRelay } from '../../testbed/relay.ts';
import { startTestbed, type Testbed } from '../../testbed/testbed.ts';

/** Two clusters of one network on one API server: one acts, the other only watches. */
const configuration = `networks:
  - name: main
clusters:
  - name: demo
    network: main
    mode: act
  - name: watched
    network: main
    mode: observe
`;

/** The app deployed onto the test bed, with clusters, groups and RBAC. */
export interface DeployedOutrider {
  readonly testbed: Testbed;
  readonly bus: string;
  readonly table: string;
  readonly bucket: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly functionName: string;
  startRelay(): Promise<Child>;
  stop(): Promise<void>;
}

const pool = (name: string): Readonly<Record<string, string>> => ({
  'k8s.io/cluster-autoscaler/node-template/label/pool': name,
});

export const deployOutrider = async (): Promise<DeployedOutrider> => {
  const lines: string[] = [];
  const progress = (line: string): void => void lines.push(line);
  const testbed = await startTestbed();
  const { emulator } = testbed;
  try {
    await Promise.all([
      registerCluster(testbed, 'outrider/demo'),
      ...(
        [
          { name: 'workers-a', instanceType: 'm5.large', max: 10, zones: ['us-east-1a'] },
          { name: 'workers-b', instanceType: 'm5.xlarge', max: 10, zones: ['us-east-1b'] },
          { name: 'crowded', instanceType: 'm5.large', max: 10, zones: ['us-east-1a'] },
          { name: 'warm', instanceType: 'm5.large', max: 40, zones: ['us-east-1a'] },
        ] as const
      ).map((group) =>
        makeNodeGroup(emulator, { ...group, cluster: 'demo', tags: pool(group.name) }),
      ),
      makeNodeGroup(emulator, {
        name: 'broken',
        cluster: 'demo',
        instanceType: 'm5.large',
        max: 3,
        tags: { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'gpu:Sometimes' },
      }),
      makeNodeGroup(emulator, {
        name: 'watched-a',
        cluster: 'watched',
        instanceType: 'm5.large',
        max: 3,
        tags: pool('watched-a'),
      }),
    ]);
    await registerCluster(testbed, 'outrider/watched');
    await bootstrap(emulator, progress);
    const outputs = await deployApp({ emulator, configuration, progress });
    const output = (name: string): string => {
      const key = Object.keys(outputs).find((each) => each.replaceAll('-', '') === name);
      const value = key === undefined ? undefined : outputs[key];
      if (value === undefined) throw new Error(`no output ${name} among ${Object.keys(outputs)}`);
      return value;
    };
    const bus = output('EventBusName');
    return {
      testbed,
      bus,
      table: output('TableName'),
      bucket: output('DecisionsBucketName'),
      queueUrl: output('NetworkmainQueueUrl'),
      deadLetterQueueUrl: output('NetworkmainDeadLetterQueueUrl'),
      functionName: output('NetworkmainFunctionName'),
      startRelay: () => startRelay(testbed, { cluster: 'demo', network: 'main', bus }),
      stop: testbed.stop,
    };
  } catch (error) {
    await testbed.stop();
    throw new Error(`the app was not deployed:\n${lines.slice(-40).join('\n')}`, { cause: error });
  }
};
