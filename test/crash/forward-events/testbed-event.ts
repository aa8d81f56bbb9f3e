import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  autoScalingGroupOwners,
  type PossibleOwner,
} from '#adapters/aws/auto-scaling-group-owners.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { putHint } from '#adapters/aws/eventbridge-hints.ts';
import { launchFailedEvent } from '#events/launch-failed.ts';
import { launchFailedHint } from '#operations/own-events.ts';
import type { GroupOwner } from '#ports/group-owners.ts';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';
import { awsAccount } from '../../testbed/aws-emulator.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import type { OpenWorld, Stage } from '../stage.ts';
import { commandsThrough } from '../testbed/commands-through.ts';
import { crashSettings, startCrashEmulator } from '../testbed/crash-emulator.ts';
import { testbedFaults } from '../testbed/faults.ts';
import { outagesOf } from '../testbed/outages.ts';
import { type CaseQueue, makeQueue } from '../testbed/queues.ts';
import { eventStage, forwardedEvents } from './event-stage.ts';

/** The clusters of the deployment. */
const clusters: readonly PossibleOwner[] = [
  { cluster: 'shop', network: 'main' },
  { cluster: 'crate', network: 'side' },
].map((owner) => ({ ...owner, discoveryTags: defaultDiscoveryTags(owner.cluster) }));

/** Routes each network's hints to a queue of its own, as the deployment does. */
const routeHints = async (
  clients: { readonly events: EventBridgeClient; readonly sqs: SQSClient },
  bus: string,
): Promise<ReadonlyMap<string, CaseQueue>> => {
  const { events, sqs } = clients;
  await events.send(new CreateEventBusCommand({ Name: bus }));
  const networks = clusters.map(async ({ network }) => {
    const queue = await makeQueue(sqs, `${bus}-${network}`);
    const EventPattern = JSON.stringify({
      source: [launchFailedHint.source],
      'detail-type': [launchFailedHint.detailType],
      detail: { network: [network] },
    });
    const rule = { Name: network, EventBusName: bus, EventPattern };
    await events.send(new PutRuleCommand(rule));
    const Targets = [{ Id: 'queue', Arn: await queue.arn() }];
    await events.send(new PutTargetsCommand({ Rule: network, EventBusName: bus, Targets }));
    return [network, queue] as const;
  });
  return new Map(await Promise.all(networks));
};

/** The event of a real group's failed launch, with the real look for its owners, the real bus and its queues. */
export const openTestbedEvents = async (): Promise<OpenWorld> => {
  const emulator = await startCrashEmulator(await crashSettings());
  const options = { ...emulator.clientConfig, ...clientOptions };
  const autoScaling = new AutoScalingClient(options);
  const events = new EventBridgeClient(options);
  const sqs = new SQSClient(options);
  let cases = 0;

  const stageFor = async (owners: readonly GroupOwner[]): Promise<Stage> => {
    cases += 1;
    const [name, bus] = [`workers-a-${cases}`, `case-${cases}`];
    const [first, ...others] = [...owners.map(({ cluster }) => cluster), 'departed'];
    const tags = others.flatMap((cluster) => Object.entries(defaultDiscoveryTags(cluster)));
    const [queues] = await Promise.all([
      routeHints({ events, sqs }, bus),
      makeNodeGroup(emulator, {
        name,
        cluster: first ?? 'departed',
        instanceType: 'm5.large',
        max: 5,
        tags: Object.fromEntries(tags),
      }),
    ]);
    const stage = eventStage({
      group: { account: awsAccount, name },
      ports: (through) => {
        const seen = commandsThrough(through, { autoScaling, events });
        return through({
          owners: autoScalingGroupOwners({
            clusters: async () => clusters,
            clientFor: () => seen.autoScaling,
            nowMs: Date.now,
          }),
          hints: {
            launchFailed: (failure) => putHint(seen.events, { bus, ...launchFailedHint }, failure),
          },
        });
      },
      hints: async () => {
        const arrived = [...queues].map(async ([network, queue]) =>
          (await queue.bodies()).map((body) => {
            const { cluster, group } = launchFailedEvent.parse(JSON.parse(body)).detail;
            return `${cluster} ${network} ${group === name ? 'workers-a' : group}`;
          }),
        );
        return (await Promise.all(arrived)).flat();
      },
      close: async () => {
        await Promise.all([...queues.values()].map((queue) => queue.remove()));
      },
    });
    const outages =
      owners.length === 1
        ? outagesOf(
            [
              ['autoscaling', 'DescribeAutoScalingGroups'],
              ['events', 'PutEvents'],
            ],
            emulator.control,
          )
        : [];
    return { ...stage, outages };
  };

  return {
    arrangements: forwardedEvents(stageFor),
    faults: testbedFaults,
    close: async () => {
      for (const client of [autoScaling, events, sqs]) client.destroy();
      await emulator.stop();
    },
  };
};
