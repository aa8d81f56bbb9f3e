import { setTimeout as sleep } from 'node:timers/promises';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import { nodesOf, type ScaleUp, type ScaleUpInput } from '#scaling/decision.ts';
import { groupStatesOf } from '#scaling/group-state.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import type { KubeClient, KubeList, KubeObject } from '../testbed/kube-client.ts';
import type { Progress } from '../testbed/run.ts';
import { clear, putAll, readAll } from './api.ts';
import { type FollowCase, followCase, nodeObject, pricesMicro } from './follow-cases.ts';
import type { SceneObject } from './scene.ts';

/*
 * Whether the real scheduler follows a plan: a decision raises groups, the nodes are made, and what is left
 * Pending then is counted.
 */

export interface Outcome {
  readonly name: string;
  /** Pods that the decision found a place for, and that the scheduler left Pending all the same. */
  readonly left: readonly string[];
  readonly planned: number;
  readonly nodes: number;
  /** Of the new nodes, in millionths of a dollar per hour: with the scheduler replayed, and without. */
  readonly priceMicro: number;
  readonly priceWithoutMicro: number;
}

type Pod = KubeObject & {
  readonly spec: { readonly nodeName?: string };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
  };
};

const pollMs = 50;
/** Longer than the scheduler waits before it tries a pod again. */
const quietMs = 3_000;
const patienceMs = 120_000;

const podsOf = async (kube: KubeClient): Promise<readonly Pod[]> =>
  (await kube.get<KubeList<Pod>>('/api/v1/pods')).items;

const isBound = ({ spec }: Pod): boolean => spec.nodeName !== undefined;
const isTried = (pod: Pod): boolean =>
  isBound(pod) ||
  (pod.status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
  );

/** Waits until every pod was tried, and nothing is bound any more for a while. */
async function settled(kube: KubeClient, quietFor: number): Promise<readonly Pod[]> {
  const deadline = Date.now() + patienceMs;
  let bound = -1;
  let since = Date.now();
  for (;;) {
    const pods = await podsOf(kube);
    const now = pods.filter(isBound).length;
    if (now !== bound) since = Date.now();
    bound = now;
    if (now === pods.length) return pods;
    if (pods.every(isTried) && Date.now() - since >= quietFor) return pods;
    if (Date.now() > deadline) throw new Error('the scheduler does not come to rest');
    await sleep(pollMs);
  }
}

const inputOf = (
  { nodeGroups }: FollowCase,
  snapshot: ClusterSnapshot,
  replaysScheduler: boolean,
): ScaleUpInput => ({
  cluster: 'follow',
  snapshot,
  nodeGroups,
  ledger: [],
  policy: { ...defaultScalingPolicy, expander: ['price'], pricesMicro, replaysScheduler },
  nowMs: Date.now(),
});

const unitOf = (resource: string, amount: number): string =>
  resource === 'cpu' ? `${amount}m` : String(amount);

/** The nodes that Auto Scaling would launch: each in the zone of the group that has the fewest. */
function launched(input: ScaleUpInput, scaleUps: readonly ScaleUp[]): readonly SceneObject[] {
  const states = groupStatesOf(input);
  return scaleUps.flatMap((scaleUp) => {
    const { templates = [] } =
      states.find(({ group }) => group.name === scaleUp.group)?.templates ?? {};
    return Array.from({ length: nodesOf(scaleUp) }, (_, index) => {
      const template = templates[index % templates.length];
      if (template === undefined) throw new Error(`${scaleUp.group} has no template`);
      const { labels, allocatable } = template.node;
      const amounts = Object.entries(allocatable).map(([name, amount]) => [
        name,
        unitOf(name, amount),
      ]);
      return nodeObject(`${scaleUp.group}-${index}`, labels, Object.fromEntries(amounts));
    });
  });
}

const priceOf = (input: ScaleUpInput, scaleUps: readonly ScaleUp[]): number =>
  scaleUps.reduce((sum, scaleUp) => {
    const type = scaleUp.instanceType ?? '';
    return sum + nodesOf(scaleUp) * (input.policy.pricesMicro?.[type] ?? 0);
  }, 0);

async function play(kube: KubeClient, one: FollowCase): Promise<Outcome> {
  await clear(kube);
  await putAll(kube, one.nodes);
  await putAll(kube, one.pods);
  await settled(kube, 300);
  const { snapshot } = readClusterObjects(await readAll(kube));
  const input = inputOf(one, snapshot, true);
  const { scaleUps, fits } = decideScaleUp(input);
  const without = inputOf(one, snapshot, false);
  const planned = new Set([...scaleUps.flatMap(({ pods }) => pods), ...fits.map(({ pod }) => pod)]);
  const nodes = launched(input, scaleUps);
  await putAll(kube, nodes);
  const after = await settled(kube, quietMs);
  const left = after
    .filter((pod) => !isBound(pod))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .filter((pod) => planned.has(pod));
  return {
    name: one.name,
    left,
    planned: planned.size,
    nodes: nodes.length,
    priceMicro: priceOf(input, scaleUps),
    priceWithoutMicro: priceOf(without, decideScaleUp(without).scaleUps),
  };
}

/** Plays so many cases of a seed, one after another. */
export async function followOracle(
  kube: KubeClient,
  { cases, seed }: { readonly cases: number; readonly seed: number },
  progress: Progress,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let index = 0; index < cases; index += 1) {
    const outcome = await play(kube, followCase(seed, index));
    outcomes.push(outcome);
    const what = outcome.left.length === 0 ? 'followed' : `left ${outcome.left.join(', ')}`;
    progress(`${outcome.name}: ${outcome.planned} pods, ${outcome.nodes} new nodes, ${what}`);
  }
  return outcomes;
}
