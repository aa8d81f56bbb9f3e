import type { Problem } from '#cluster/problem.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import type { Journal, JournalHead } from '#ports/journal.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import type { NodeGroupsView } from '#scaling/aws-views.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import { type LedgerChange, observeLedger } from '#scaling/observe-ledger.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { claimedInstances, groupsToAsk, isQuiet, typesToPrice } from '#scaling/what-to-ask.ts';
import { askPrices, type PricePorts } from './ask-prices.ts';
import { failureOf } from './failure.ts';
import { settleIntents } from './settle-intents.ts';

export interface ReadPorts extends PricePorts {
  readonly clock: Clock;
  readonly clusterApi: ClusterApi;
  readonly nodeGroups: NodeGroups;
  readonly ledger: CapacityLedger;
  readonly journal: Journal;
}

export interface ReadRequest {
  readonly cluster: string;
  readonly policy: ScalingPolicy;
  /** AWS is asked only if there may be something to do. */
  readonly unlessQuiet: boolean;
}

export interface ReadWorld {
  readonly input: ScaleUpInput;
  readonly problems: readonly Problem[];
  readonly head: JournalHead | undefined;
  readonly change: LedgerChange;
}

/**
 * Everything that a decision is made from; open intents are settled on the way, so that nothing is planned
 * on what was. `undefined`: nothing waits and nothing is on its way, and AWS was not asked.
 */
export const readWorld = async (
  ports: ReadPorts,
  request: ReadRequest,
  lease: Lease,
): Promise<ReadWorld | undefined> => {
  const { cluster, policy, unlessQuiet } = request;
  const [kubernetes, remembered, head, early] = await Promise.all([
    ports.clusterApi.snapshot(),
    ports.ledger.read(cluster),
    ports.journal.head(cluster),
    unlessQuiet ? undefined : ports.nodeGroups.discover(),
  ]);
  const { snapshot } = kubernetes;
  if (unlessQuiet) {
    const known = { cluster, snapshot, ledger: remembered, policy, nowMs: ports.clock.nowMs() };
    if (head?.quiet === true && isQuiet(known)) return undefined;
  }
  const isOpen = remembered.some(({ intent }) => intent !== undefined);
  const ledger = isOpen ? await settleIntents(ports, lease, remembered) : remembered;
  const groups = early === undefined || isOpen ? await ports.nodeGroups.discover() : early;
  const [asked, priced] = await Promise.all([
    askMore(ports.nodeGroups, { view: groups.view, snapshot, ledger }),
    askPrices(ports, groups.view.region, typesToPrice(groups.view, policy)),
  ]);
  const seen: ScaleUpInput = {
    cluster,
    snapshot,
    nodeGroups: asked.view,
    ledger,
    policy,
    ...(priced.prices === undefined ? {} : { prices: priced.prices }),
    nowMs: ports.clock.nowMs(),
  };
  const change = observeLedger(seen);
  return {
    input: { ...seen, ledger: change.entries },
    problems: [...kubernetes.problems, ...groups.problems, ...asked.problems, ...priced.problems],
    head,
    change,
  };
};

interface Known {
  readonly view: NodeGroupsView;
  readonly snapshot: ClusterSnapshot;
  readonly ledger: ScaleUpInput['ledger'];
}

/**
 * Why groups miss instances, and whose instances Nodes claim that none of the groups has. Not to know it
 * is no reason to leave pods waiting: what could not be asked is told, and asked again by the next look.
 */
export const askMore = async (
  nodeGroups: NodeGroups,
  { view, snapshot, ledger }: Known,
): Promise<{ readonly view: NodeGroupsView; readonly problems: readonly Problem[] }> => {
  const problems: Problem[] = [];
  const ask = async <T>(field: string, question: () => Promise<readonly T[]>) => {
    try {
      return await question();
    } catch (thrown) {
      const { code, message } = failureOf(thrown);
      problems.push({ field, code, message: `could not be asked: ${message}` });
      return [];
    }
  };
  const claimed = claimedInstances(view, snapshot);
  const [foreign, ...launches] = await Promise.all([
    claimed.length === 0 ? [] : ask('foreignInstances', () => nodeGroups.foreign(claimed)),
    ...groupsToAsk(view, ledger).map((group) =>
      ask(`launches[${group}]`, () => nodeGroups.launches(group)),
    ),
  ]);
  return {
    view: {
      ...view,
      ...(launches.length === 0 ? {} : { launches: launches.flat() }),
      ...(foreign.length === 0 ? {} : { foreign }),
    },
    problems: problems.sort((a, b) => ((a.field ?? '') < (b.field ?? '') ? -1 : 1)),
  };
};
