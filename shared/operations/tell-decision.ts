import { podKey } from '#cluster/snapshot.ts';
import type { Clock } from '#ports/clock.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import type { Journal, JournalHead } from '#ports/journal.ts';
import type { Pages } from '#ports/pages.ts';
import type { ScaleUp, ScaleUpDecision } from '#scaling/decision.ts';
import { foundQuiet } from '#scaling/what-to-ask.ts';
import type { Failure } from './failure.ts';
import type { ReadWorld } from './read-world.ts';
import { sendPages } from './send-pages.ts';
import type { SizeResult } from './size-groups.ts';
import { type RaiseFate, tellPods } from './tell-pods.ts';

export interface TellPorts {
  readonly clock: Clock;
  readonly clusterApi: ClusterApi;
  readonly journal: Journal;
  readonly pages: Pages;
}

/** A decision, and what was done about it. */
export interface Done {
  readonly world: ReadWorld;
  readonly decision: ScaleUpDecision;
  readonly id: string;
  /** The raises that were tried. */
  readonly scaleUps: readonly ScaleUp[];
  readonly results: readonly SizeResult[];
  /** The journal's head as it stands. */
  readonly recorded: JournalHead;
}

export interface Told {
  readonly notPaged?: Failure | undefined;
  readonly notTold?: Failure | undefined;
  /** Events are left to post. */
  readonly left: boolean;
}

/** Tells people and pods, and keeps in the journal's head what they were told. */
export const tellDecision = async (
  ports: TellPorts,
  lease: Lease,
  { world, decision, id, scaleUps, results, recorded }: Done,
): Promise<Told> => {
  const { failure: notPaged, paged } = await sendPages(ports.pages, {
    cluster: world.input.cluster,
    decision: id,
    alerts: decision.alerts,
    paged: world.head?.paged ?? {},
    nowMs: ports.clock.nowMs(),
  });
  const {
    failure: notTold,
    left,
    ...telling
  } = await tellPods(ports.clusterApi, {
    pods: concerned(world, decision),
    scaleUps: fatesOf(decision.scaleUps, scaleUps, results),
    stuck: decision.stuck,
    fits: decision.fits,
    told: recorded.told,
    ...(recorded.toldUpTo === undefined ? {} : { toldUpTo: recorded.toldUpTo }),
    clock: ports.clock,
  });
  const { generation, digest } = recorded;
  const said: JournalHead = {
    generation,
    digest,
    ...telling,
    ...(Object.keys(paged).length === 0 ? {} : { paged }),
    ...(foundQuiet(decision, world.input.ledger) ? { quiet: true } : {}),
  };
  if (JSON.stringify(said) !== JSON.stringify(recorded)) await ports.journal.writeHead(lease, said);
  return { notPaged, notTold, left };
};

const concerned = ({ input }: ReadWorld, decision: ScaleUpDecision) => {
  const waiting = new Set(
    [...decision.stuck, ...decision.fits]
      .map(({ pod }) => pod)
      .concat(decision.scaleUps.flatMap(({ pods }) => pods)),
  );
  return input.snapshot.pods.filter((pod) => waiting.has(podKey(pod)));
};

/** What became of each planned raise; failed ones and vanished groups are left out. */
const fatesOf = (
  planned: readonly ScaleUp[],
  acting: readonly ScaleUp[],
  results: readonly SizeResult[],
): readonly { readonly scaleUp: ScaleUp; readonly fate: RaiseFate }[] => {
  const status = new Map(results.map((result) => [result.group, result.status]));
  return planned.flatMap((scaleUp) => {
    const fate = acting.includes(scaleUp) ? status.get(scaleUp.group) : 'observed';
    return fate === 'raised' || fate === 'already' || fate === 'observed'
      ? [{ scaleUp, fate }]
      : [];
  });
};
