import type { Problem } from '#cluster/problem.ts';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import type { Journal, JournalHead } from '#ports/journal.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import { type LedgerChange, observeLedger } from '#scaling/observe-ledger.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { isQuiet } from '#scaling/what-to-ask.ts';
import { type SeePorts, seeGroups } from './see-groups.ts';
import { settleIntents } from './settle-intents.ts';

export interface ReadPorts extends SeePorts {
  readonly clusterApi: ClusterApi;
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
  const seen = await seeGroups(ports, { cluster, policy, snapshot, ledger, groups });
  const change = observeLedger(seen.input);
  return {
    input: { ...seen.input, ledger: change.entries },
    problems: [...kubernetes.problems, ...seen.problems],
    head,
    change,
  };
};
