import type { Problem } from '#cluster/problem.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { Clock } from '#ports/clock.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import type { NodeGroupsView } from '#scaling/aws-views.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { claimedInstances, groupsToAsk, typesToPrice } from '#scaling/what-to-ask.ts';
import { askIfPossible } from './ask-if-possible.ts';
import { askPrices, type PricePorts } from './ask-prices.ts';

export interface SeePorts extends PricePorts {
  readonly clock: Clock;
  readonly nodeGroups: NodeGroups;
}

interface Known {
  readonly cluster: string;
  readonly policy: ScalingPolicy;
  readonly snapshot: ClusterSnapshot;
  readonly ledger: ScaleUpInput['ledger'];
  /** What `NodeGroups.discover` gave. */
  readonly groups: { readonly view: NodeGroupsView; readonly problems: readonly Problem[] };
}

export interface Seen {
  /** What a decision is made from, before the ledger has taken notice of it. */
  readonly input: ScaleUpInput;
  readonly problems: readonly Problem[];
}

/** Completes what is known of a cluster and its groups: what became of launches, foreign instances, prices. */
export const seeGroups = async (ports: SeePorts, known: Known): Promise<Seen> => {
  const { cluster, policy, snapshot, ledger, groups } = known;
  const [asked, priced] = await Promise.all([
    askMore(ports.nodeGroups, known),
    askPrices(ports, groups.view.region, typesToPrice(groups.view, policy)),
  ]);
  return {
    input: {
      cluster,
      snapshot,
      nodeGroups: asked.view,
      ledger,
      policy,
      ...(priced.prices === undefined ? {} : { prices: priced.prices }),
      nowMs: ports.clock.nowMs(),
    },
    problems: [...groups.problems, ...asked.problems, ...priced.problems],
  };
};

/** Why groups miss instances, and whose instances Nodes claim that none of the groups has. */
const askMore = async (
  nodeGroups: NodeGroups,
  { groups: { view }, snapshot, ledger }: Known,
): Promise<{ readonly view: NodeGroupsView; readonly problems: readonly Problem[] }> => {
  const { ask, problems } = askIfPossible();
  const claimed = claimedInstances(view, snapshot);
  const [foreign = [], ...launches] = await Promise.all([
    claimed.length === 0 ? [] : ask('foreignInstances', () => nodeGroups.foreign(claimed)),
    ...groupsToAsk(view, ledger).map((group) =>
      ask(`launches[${group}]`, () => nodeGroups.launches(group)),
    ),
  ]);
  return {
    view: {
      ...view,
      ...(launches.length === 0 ? {} : { launches: launches.flatMap((told) => told ?? []) }),
      ...(foreign.length === 0 ? {} : { foreign }),
    },
    problems: problems(),
  };
};
