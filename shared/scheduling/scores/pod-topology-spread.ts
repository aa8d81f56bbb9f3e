import { countedNodes } from '../filters/pod-topology-spread.ts';
import { spreadingController } from '../state/controller-counts.ts';
import type { CountTable } from '../state/count-table.ts';
import { withRoom } from '../state/growing.ts';
import { hostnameLabel } from '../state/node-list.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import type { StateTables } from '../state/state-tables.ts';
import { domainAt } from '../state/topologies.ts';
import { maxScore, type PassedNodes, type ScorePart, type ScorePlugin } from './score-plugin.ts';

/** A preference to spread, with the counts that it looks at. */
interface Spread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly table: CountTable;
}

interface Spreads {
  readonly spreads: readonly Spread[];
  /** Nodes without every key score 0; those of the default constraints need none. */
  readonly allKeys: boolean;
}

const zoneLabel = 'topology.kubernetes.io/zone';

/** What kube-scheduler spreads pods without constraints of their own by. */
const defaults: readonly Omit<Spread, 'table'>[] = [
  { topologyKey: hostnameLabel, maxSkew: 3 },
  { topologyKey: zoneLabel, maxSkew: 5 },
];

const softSpread = ({ topologySpread = [] }: StatePod) =>
  topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');

/** Any constraint of its own, a hard one too, and the defaults say nothing. */
function defaultSpreads(pod: StatePod, tables: StateTables): readonly Spread[] {
  const controller = spreadingController(pod);
  if ((pod.topologySpread?.length ?? 0) > 0 || controller === undefined) return [];
  return defaults.map(({ topologyKey, maxSkew }) => ({
    topologyKey,
    maxSkew,
    table: tables.preferences.controllers.table(
      controller,
      topologyKey,
      topologyKey === hostnameLabel
        ? everyNode
        : countedNodes(
            pod,
            { nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore', topologyKeys: [] },
            tables,
          ),
    ),
  }));
}

const everyNode = { key: 'every', counts: () => true };

function ownSpreads(pod: StatePod, tables: StateTables): readonly Spread[] {
  const constraints = softSpread(pod);
  const topologyKeys = constraints.map(({ topologyKey }) => topologyKey);
  return constraints.map((constraint) => {
    const { topologyKey, maxSkew, selector } = constraint;
    const predicate = tables.predicates.ofSpread(pod.namespace, selector);
    // On a node of its own the pods are counted whatever the policies say.
    const table =
      topologyKey === hostnameLabel
        ? tables.groups.table(predicate, topologyKey)
        : tables.groups.spreadTable(
            predicate,
            topologyKey,
            countedNodes(pod, { ...constraint, topologyKeys }, tables),
          );
    return { topologyKey, maxSkew, table };
  });
}

/** How many domains the passed nodes are in; those without the label are one together. */
function domainCounter() {
  let seenIn = new Int32Array(0);
  let round = 0;
  return ({ table }: Spread, { list, count }: PassedNodes, skip: Uint8Array): number => {
    round += 1;
    let domains = 0;
    for (let at = 0; at < count; at += 1) {
      if (skip[at] === 1) continue;
      const domain = domainAt(table.topology, list[at] ?? -1) + 1;
      seenIn = withRoom(seenIn, domain + 1);
      if (seenIn[domain] === round) continue;
      seenIn[domain] = round;
      domains += 1;
    }
    return domains;
  };
}

function partOf(spreadsOf: () => Spreads): ScorePart {
  const countDomains = domainCounter();
  let weights: readonly number[] = [];
  /** 1 for a passed node that lacks a key, in the order of the passed. */
  let skip = new Uint8Array(0);

  const lacksKey = (spreads: readonly Spread[], node: number): boolean =>
    spreads.some(({ table }) => domainAt(table.topology, node) < 0);
  const prepare = (passed: PassedNodes): void => {
    const { spreads, allKeys } = spreadsOf();
    skip = withRoom(skip, passed.count);
    let scored = passed.count;
    for (let at = 0; at < passed.count; at += 1) {
      const isSkipped = allKeys && lacksKey(spreads, passed.list[at] ?? -1);
      skip[at] = isSkipped ? 1 : 0;
      if (isSkipped) scored -= 1;
    }
    weights = spreads.map((spread) => {
      const size =
        spread.topologyKey === hostnameLabel ? scored : countDomains(spread, passed, skip);
      return Math.log(size + 2);
    });
  };
  return {
    changesWith: 'anyPod',
    isLevel: () => spreadsOf().spreads.length === 0,
    prepare,
    raw: (node) => {
      const { spreads, allKeys } = spreadsOf();
      if (allKeys && lacksKey(spreads, node)) return 0;
      let sum = 0;
      for (let index = 0; index < spreads.length; index += 1) {
        const spread = spreads[index];
        if (spread === undefined || domainAt(spread.table.topology, node) < 0) continue;
        sum += spread.table.at(node) * (weights[index] ?? 0) + (spread.maxSkew - 1);
      }
      return Math.round(sum);
    },
    normalise: (raws, passed) => {
      let least = Number.POSITIVE_INFINITY;
      let most = 0;
      for (let at = 0; at < passed.count; at += 1) {
        if (skip[at] === 1) continue;
        const raw = raws[at] ?? 0;
        if (raw < least) least = raw;
        if (raw > most) most = raw;
      }
      for (let at = 0; at < passed.count; at += 1) {
        if (skip[at] === 1) raws[at] = 0;
        else if (most === 0) raws[at] = maxScore;
        else raws[at] = Math.floor((maxScore * (most + least - (raws[at] ?? 0))) / most);
      }
    },
  };
}

/**
 * PodTopologySpread: the fewer of the pods that a soft constraint means are in the node's domains, the
 * better; domains of a key with many count more. Pods without any constraint are spread by their
 * controller over hosts and zones; Services, by whose selectors kube-scheduler does so too, are not known.
 */
export const podTopologySpread: ScorePlugin = {
  name: 'PodTopologySpread',
  weight: 2,
  mention: (pod, { groups, predicates }) => {
    for (const { selector } of softSpread(pod)) {
      groups.mention(predicates.ofSpread(pod.namespace, selector));
    }
  },
  ask: (pod, tables) => {
    const isOwn = softSpread(pod).length > 0;
    if (!isOwn && (pod.topologySpread?.length || spreadingController(pod) === undefined)) {
      return undefined;
    }
    // Not before a node is scored: by then all pods are known, and they are grouped once.
    let made: Spreads | undefined;
    return partOf(() => {
      made ??= {
        spreads: isOwn ? ownSpreads(pod, tables) : defaultSpreads(pod, tables),
        allKeys: isOwn,
      };
      return made;
    });
  },
};
