import { amountIn, type Resources } from '#cluster/resources.ts';
import type { NodeOffer } from '#scheduling/packing/question.ts';
import { type StatePod, schedulingState } from '#scheduling/state/scheduling-state.ts';
import type { PackingCase } from './pack-pods.ts';

interface OpenNode {
  readonly node: number;
  readonly zone: string;
  readonly used: Record<string, number>;
  pods: number;
}

const zoneKey = 'topology.kubernetes.io/zone';

const plus = (used: Readonly<Record<string, number>>, pod: StatePod): Resources => {
  const sum: Record<string, number> = { ...used, pods: amountIn(used, 'pods') + 1 };
  for (const name of Object.keys(pod.requests)) {
    sum[name] = amountIn(used, name) + amountIn(pod.requests, name);
  }
  return sum;
};

const isWithin = (load: Resources, room: Resources): boolean =>
  Object.keys(load).every((name) => amountIn(load, name) <= amountIn(room, name));

/**
 * What first-fit decreasing makes of a case without existing nodes: the pods by CPU and memory, the largest
 * first, each to the node with the fewest pods that an offer of its zone could still hold, else to a new
 * node. In the end each node is the cheapest offer that holds its pods. It is the way of Karpenter and of
 * many others; constraints are judged by the engine.
 */
export function firstFitDecreasing({ pods, offers }: PackingCase): {
  readonly price: number;
  readonly nodes: number;
  readonly unplaced: number;
} {
  const state = schedulingState({ namespaces: [], storage: {} });
  state.learn(pods);
  const zones = [...new Set(offers.map(({ template }) => template.labels[zoneKey] ?? ''))].sort();
  const byZone = new Map(
    zones.map((zone) => [
      zone,
      offers
        .filter(({ template }) => (template.labels[zoneKey] ?? '') === zone)
        .toSorted((a, b) => a.price - b.price),
    ]),
  );
  const cheapest = (zone: string, load: Resources): NodeOffer | undefined =>
    byZone.get(zone)?.find(({ template }) => isWithin(load, template.allocatable));
  const canGrow = (zone: string, load: Resources): boolean =>
    byZone.get(zone)?.findLast(({ template }) => isWithin(load, template.allocatable)) !==
    undefined;
  const templates = new Map(
    zones.map((zone) => [
      zone,
      {
        ...((byZone.get(zone) as readonly NodeOffer[])[0] as NodeOffer).template,
        allocatable: { pods: Number.MAX_SAFE_INTEGER },
      },
    ]),
  );
  const open: OpenNode[] = [];
  let unplaced = 0;
  const place = (given: StatePod): void => {
    const bare = { ...given, requests: {} };
    const question = state.questionOf(bare);
    for (const node of open.sort((a, b) => a.pods - b.pods || a.node - b.node)) {
      if (!canGrow(node.zone, plus(node.used, given)) || !question.passes(node.node)) continue;
      state.place(bare, node.node);
      Object.assign(node.used, plus(node.used, given));
      node.pods += 1;
      return;
    }
    for (const zone of zones) {
      const template = templates.get(zone);
      if (template === undefined || !canGrow(zone, plus({}, given))) continue;
      const node = state.addNode(template, `first-fit-${open.length}`);
      if (question.passes(node)) {
        open.push({ node, zone, used: { ...plus({}, given) }, pods: 1 });
        state.place(bare, node);
        return;
      }
      state.removeNewestNode();
    }
    unplaced += 1;
  };
  const order = pods.toSorted(
    (a, b) =>
      amountIn(b.requests, 'cpu') - amountIn(a.requests, 'cpu') ||
      amountIn(b.requests, 'memory') - amountIn(a.requests, 'memory'),
  );
  for (const pod of order) place(pod);
  const price = open.reduce((sum, { zone, used }) => sum + (cheapest(zone, used)?.price ?? 0), 0);
  return { price, nodes: open.length, unplaced };
}
