import { randomUUID } from 'node:crypto';
import { type ScaleUpPorts, type ScaleUpRequest, scaleUp } from '#operations/scale-up.ts';
import type { Wakeup } from '#ports/wakeups.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import type { PortCall } from '../../helpers/faulty-ports.ts';
import type { Ending, Message, Stage } from '../stage.ts';
import { withOthersAtWork } from './others-at-work.ts';
import { type PodWord, stateOf } from './scale-up-state.ts';
import type { Scene } from './scene.ts';

/** A cluster with its account in which a scene has been set, but for ledger and journal. */
export interface SceneWorld {
  readonly cluster: string;
  readonly ports: ScaleUpPorts;
  elapse(seconds: number): Promise<void>;
  /** What the cluster's pods were told so far. */
  podWords(): Promise<readonly PodWord[]>;
  /** The text without what is this one case's own in it, such as a suffix that makes names unique. */
  plain(text: string): string;
  close(): Promise<void>;
}

/** Nothing fails for taking long while a case is played: at most some minutes of its own time. */
const policy: ScaleUpRequest['policy'] = {
  ...defaultScalingPolicy,
  mode: 'act',
  startLimitSeconds: 7_200,
};

/** Leaves ledger, lease and journal as the scene has them, and gives the stage on which scale-up is played. */
export const setScene = async (scene: Scene, world: SceneWorld): Promise<Stage> => {
  const { cluster } = world;
  await writeLedger(scene, world);
  const ports = withOthersAtWork(scene, world);

  const message = (what: string, request: Pick<ScaleUpRequest, 'trigger' | 'wakeup'>): Message => ({
    what,
    deliver: async (through) => {
      const outcome = await scaleUp(through(ports), {
        cluster,
        policy: { ...policy, ...scene.policy },
        owner: randomUUID(),
        engineVersion: 'test',
        ...request,
      });
      return endingOf(outcome);
    },
  });
  const wakeUp = ({ because, step }: Pick<Wakeup, 'because' | 'step'>): Message =>
    message(`${because} ${step}`, { trigger: because, wakeup: { because, step } });
  const sweep = wakeUp({ because: 'sweep', step: 1 });
  const firsts: Readonly<Record<Scene['trigger'], Message>> = {
    sweep,
    'pod-pending': message('hint', { trigger: 'pod-pending' }),
    marked: wakeUp({ because: 'marked', step: 1 }),
  };
  if (scene.lookedBefore) await sweep.deliver((untouched) => untouched);
  await leaveLease(scene, world);

  return {
    // An old answer is one from before this case, but for what others have changed by then.
    ports: scene.protectionLost === undefined ? world.ports : ports,
    nowMs: ports.clock.nowMs,
    elapse: world.elapse,
    first: firsts[scene.trigger],
    sweep,
    // A hint is answered by a whole look, of the cluster and of the account.
    another: {
      message: firsts['pod-pending'],
      answer: ['clusterApi.snapshot', 'nodeGroups.discover'],
    },
    messagesIn: ({ name, args }: PortCall) =>
      name === 'wakeups.send'
        ? (args[0] as readonly Wakeup[]).map((wakeup) => ({
            message: wakeUp(wakeup),
            afterSeconds: wakeup.afterSeconds,
          }))
        : [],
    state: async (effects) => {
      const state = await stateOf(world, effects);
      return scene.wordsMayDiffer ? { ...state, told: [] } : state;
    },
    close: world.close,
  };
};

/** As the function does with the message that called. */
const endingOf = (outcome: Awaited<ReturnType<typeof scaleUp>>): Ending => {
  if (outcome.status === 'held') return 'again';
  if (outcome.status !== 'failed') return 'done';
  return outcome.error?.retryable === false ? 'refused' : 'again';
};

/** Somebody else takes the lease and is never heard of again. */
const leaveLease = async (
  { lease }: Scene,
  { cluster, ports, elapse }: SceneWorld,
): Promise<void> => {
  if (lease !== 'held' && lease !== 'marked') return;
  const nowMs = ports.clock.nowMs();
  await ports.leases.acquire({ cluster, owner: 'departed', nowMs, ttlMs: 60_000 });
  if (lease === 'held') return;
  await ports.leases.mark(cluster, nowMs);
  await elapse(61);
};

const writeLedger = async (scene: Scene, { cluster, ports }: SceneWorld): Promise<void> => {
  if (scene.ledger === undefined) return;
  const nowMs = ports.clock.nowMs();
  const { snapshot } = await ports.clusterApi.snapshot();
  const { groups } = (await ports.nodeGroups.discover()).view;
  const entries = scene.ledger({
    cluster,
    nowMs,
    uidsOf: (workload) =>
      snapshot.pods.filter(({ name }) => name.startsWith(`${workload}-`)).map(({ uid }) => uid),
  });
  const lease = await ports.leases.acquire({ cluster, owner: 'scene', nowMs, ttlMs: 60_000 });
  if (lease === undefined) throw new Error(`the lease of ${cluster} is held before anything began`);
  for (const entry of entries) {
    const group = groups.find(({ name }) => name.startsWith(entry.group))?.name ?? entry.group;
    await ports.ledger.write(lease, { ...entry, group });
  }
  await ports.leases.release(lease);
};
