import { memoryMetrics } from '#adapters/memory/memory-metrics.ts';
import { scaleUp } from '#operations/scale-up.ts';
import { sweep } from '#operations/sweep.ts';
import type { Wakeup } from '#ports/wakeups.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { createTimeline } from '#world/timeline.ts';
import { createApiMeter, type MeterReading } from './api-meter.ts';
import { type FleetCluster, warmUpMinutes } from './fleet-clusters.ts';
import { type FleetMember, fleetMember } from './fleet-member.ts';
import { createFleetQueue } from './fleet-queue.ts';
import { fleetStartMs, minuteMs } from './fleet-time.ts';
import { type FleetProcess, fleetProcess } from './process-of-fleet.ts';
import { type SimulatedClients, simulatedClients } from './simulated-aws.ts';

export interface FleetRequest {
  readonly clusters: readonly FleetCluster[];
  readonly seed: number;
  /** Processes of the function side by side; looks go to them in turn, which is worst for their caches. */
  readonly processes: number;
}

export interface FleetRun {
  readonly warmUp: MeterReading;
  /** Of the hour after the warm-up, and the same of its looks. */
  readonly hour: MeterReading;
  readonly looks: number;
  /** Looks that asked AWS of their groups. */
  readonly askingLooks: number;
  readonly failedLooks: number;
  readonly raises: number;
  readonly toRaiseMs: { readonly hinted: readonly number[]; readonly swept: readonly number[] };
  readonly podsLost: number;
}

interface Message {
  readonly cluster: string;
  readonly trigger: 'pod-pending' | 'launch-failed' | Wakeup['because'];
  readonly wakeup?: Pick<Wakeup, 'because' | 'step'>;
}

/** A hint whose look failed comes back to the queue. */
const retryAfterMs = 30_000;
const hourMinutes = 60;
const policy = { ...defaultScalingPolicy, mode: 'act' } as const;

/**
 * Many clusters under one clock, their queue and the processes that empty it. A look takes no time of that
 * clock: all that fall on one second are at once.
 */
export const playFleet = async (request: FleetRequest): Promise<FleetRun> => {
  const clock = createTimeline(fleetStartMs);
  const queue = createFleetQueue(clock);
  const meter = createApiMeter(clock.nowMs);
  const members = new Map(
    request.clusters.map((cluster, index) => [
      cluster.name,
      fleetMember(cluster, request.seed + index, meter),
    ]),
  );
  const processes = processesOf(request.processes, members, { meter, nowMs: clock.nowMs });
  const counts = { looks: 0, failedLooks: 0, raises: 0 };

  const send = (message: Message, afterMs: number): void =>
    queue.at(clock.nowMs() + afterMs, () => look(message));
  const wakeups = {
    send: async (sent: readonly Wakeup[]): Promise<void> => {
      for (let from = 0; from < sent.length; from += 10) meter.call('main', 'sqs:SendMessageBatch');
      for (const { cluster, afterSeconds, because, step } of sent) {
        send({ cluster, trigger: because, wakeup: { because, step } }, afterSeconds * 1_000);
      }
    },
  };

  /** Lets the world's own events happen at their time, and has their hints sent. */
  const follow = (member: FleetMember): void => {
    for (const { trigger, afterMs } of member.follow(clock.nowMs())) {
      send({ cluster: member.cluster.name, trigger }, afterMs);
    }
    const nextMs = member.world.nextAtMs();
    if (nextMs !== undefined) queue.at(nextMs, async () => wake(member, nextMs));
  };
  /** Unless a look has been there since. */
  const wake = (member: FleetMember, atMs: number): void => {
    if (member.world.nextAtMs() === atMs) follow(member);
  };

  const look = async (message: Message): Promise<void> => {
    const { cluster, ...why } = message;
    const member = members.get(cluster);
    if (member === undefined) throw new Error(`there is no cluster ${cluster}`);
    follow(member);
    const { nodeGroups } = processes[counts.looks % processes.length] as FleetProcess;
    counts.looks += 1;
    meter.call('main', 'secretsmanager:GetSecretValue');
    const ports = {
      ...member.ports,
      clock: { nowMs: clock.nowMs },
      metrics: memoryMetrics(),
      wakeups,
      nodeGroups: nodeGroups(member.cluster),
    };
    const owner = `look-${counts.looks}`;
    const outcome = await scaleUp(ports, {
      cluster,
      policy,
      ...why,
      owner,
      engineVersion: 'fleet',
    });
    counts.raises += outcome.groups.filter(({ status }) => status === 'raised').length;
    if (outcome.status === 'failed') {
      counts.failedLooks += 1;
      if (message.trigger !== 'sweep') send(message, retryAfterMs);
    }
    follow(member);
  };

  for (const member of members.values()) follow(member);
  const names = request.clusters.map(({ name }) => name);
  for (let minute = 0; minute < warmUpMinutes + hourMinutes; minute += 1) {
    queue.at(fleetStartMs + minute * minuteMs, () => sweep(wakeups, names));
  }
  const asked = (): number => processes.reduce((sum, process) => sum + process.asked(), 0);

  const warmMs = fleetStartMs + warmUpMinutes * minuteMs;
  await queue.runUntil(warmMs);
  const warmUp = meter.read();
  const before = { ...counts, asked: asked() };
  await queue.runUntil(warmMs + hourMinutes * minuteMs);
  return {
    warmUp,
    hour: meter.read(),
    looks: counts.looks - before.looks,
    askingLooks: asked() - before.asked,
    failedLooks: counts.failedLooks - before.failedLooks,
    raises: counts.raises - before.raises,
    ...outcomesOf([...members.values()]),
  };
};

const outcomesOf = (members: readonly FleetMember[]): Pick<FleetRun, 'toRaiseMs' | 'podsLost'> => {
  const times = (relay: boolean): readonly number[] =>
    members
      .filter(({ cluster }) => cluster.relay === relay)
      .flatMap((member) => member.toRaiseMs() ?? [])
      .sort((a, b) => a - b);
  return {
    toRaiseMs: { hinted: times(true), swept: times(false) },
    podsLost: members.reduce((sum, { world }) => sum + world.figures().pods.lost, 0),
  };
};

const processesOf = (
  count: number,
  members: ReadonlyMap<string, FleetMember>,
  { meter, nowMs }: Pick<Parameters<typeof fleetProcess>[0], 'meter' | 'nowMs'>,
): readonly FleetProcess[] => {
  const clients = new Map<string, SimulatedClients>();
  const worldOf = (cluster: string) => {
    const member = members.get(cluster);
    if (member === undefined) throw new Error(`there is no cluster ${cluster}`);
    return member.world;
  };
  const clientsOf = (account: string): SimulatedClients => {
    const known = clients.get(account) ?? simulatedClients(meter, account, worldOf);
    clients.set(account, known);
    return known;
  };
  return Array.from({ length: count }, () => fleetProcess({ meter, clientsOf, nowMs }));
};
