import { DeleteAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { createApiClient } from '#adapters/kubernetes/api-client.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import { startControlPlane } from '../../testbed/control-plane.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import type { OpenWorld, Stage } from '../stage.ts';
import { crashSettings, startCrashEmulator } from '../testbed/crash-emulator.ts';
import { testbedFaults } from '../testbed/faults.ts';
import { type AwsCall, outagesOf } from '../testbed/outages.ts';
import type { Scene } from './scene.ts';
import { podsOfScene } from './scene-pods.ts';
import { scenes } from './scenes.ts';
import { setScene } from './set-scene.ts';
import { openTestbedAccount } from './testbed-account.ts';

/** Scenes that between them make every call that acts but `ledger.remove`; the others are played in memory. */
const played: ReadonlySet<string> = new Set([
  'raise',
  'open-intent-raised',
  'take-back',
  'page',
  'held',
]);

/** Calls that the account answers badly in these scenes. */
const outageCalls: Readonly<Record<string, readonly AwsCall[]>> = {
  raise: [
    ['autoscaling', 'DescribeAutoScalingGroups'],
    ['autoscaling', 'SetDesiredCapacity'],
    ['dynamodb', 'TransactWriteItems'],
    ['s3', 'PutObject'],
  ],
  held: [['sqs', 'SendMessageBatch']],
};

/**
 * The scenes against a real API server and scheduler and the emulated account, with the real adapters. Each
 * case has a cluster name, groups and a namespace of its own; no machine ever comes up.
 */
export const openTestbedScenes = async (): Promise<OpenWorld> => {
  const settings = await crashSettings();
  const [controlPlane, emulator] = await Promise.all([
    startControlPlane(settings),
    startCrashEmulator(settings),
  ]);
  const account = await openTestbedAccount(emulator);
  const { server, ca, adminToken: token, admin } = controlPlane;
  const api = createApiClient({ server, ca, token });
  let cases = 0;

  const stageOf = async (scene: Scene): Promise<Stage> => {
    cases += 1;
    const cluster = `case${cases}`;
    const own = `-${cluster}`;
    const groups = scene.groups.map((group) => ({ ...group, name: `${group.name}${own}` }));
    const pods = podsOfScene(admin, cluster);
    const makeGroups = async (): Promise<void> => {
      for (const { name, launchesFail } of groups) {
        if (!launchesFail) continue;
        const launch = { service: 'autoscaling', action: 'Launch', group: name, times: 10_000 };
        await emulator.control.inject({ ...launch, code: 'InsufficientInstanceCapacity' });
      }
      await Promise.all(
        groups.map(({ pool, launchesFail: _, ...group }) =>
          makeNodeGroup(emulator, {
            ...group,
            cluster,
            tags:
              pool === undefined
                ? {}
                : { 'k8s.io/cluster-autoscaler/node-template/label/pool': pool },
          }),
        ),
      );
    };
    await Promise.all([makeGroups(), pods.create(scene.workloads)]);
    let aheadMs = 0;
    const stage = await setScene(scene, {
      cluster,
      ports: {
        ...account.portsOf(cluster),
        clusterApi: kubernetesClusterApi(api),
        clock: { nowMs: () => Date.now() + aheadMs },
      },
      elapse: async (seconds) => {
        aheadMs += seconds * 1000;
      },
      podWords: pods.words,
      plain: (text) => text.replaceAll(own, '').replaceAll(`${cluster}/`, 'default/'),
      close: async () => {
        await Promise.all([
          pods.remove(),
          emulator.control.clearFaults(),
          ...groups.map(({ name }) =>
            account.autoScaling.send(
              new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: name, ForceDelete: true }),
            ),
          ),
        ]);
      },
    });
    return { ...stage, outages: outagesOf(outageCalls[scene.name] ?? [], emulator.control) };
  };

  return {
    arrangements: scenes
      .filter(({ name }) => played.has(name))
      .map((scene) => ({
        ...scene,
        ...(scene.name === 'raise' ? { faults: [...testbedFaults, 'marked'] } : {}),
        stage: () => stageOf(scene),
      })),
    faults: testbedFaults,
    close: async () => {
      api.close();
      account.close();
      await Promise.all([controlPlane.stop(), emulator.stop()]);
    },
  };
};
