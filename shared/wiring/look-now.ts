import { packageVersion } from '#config/package-version.ts';
import { isDecisionOf, type JournalledDecision, readDecision } from '#operations/read-journal.ts';
import type { ScaleUpOutcome } from '#operations/scale-up.ts';
import { PortError } from '#ports/port-error.ts';
import { openMemory } from './memory.ts';
import { clustersAskedFor, networkNamed, openDeployment } from './open-deployment.ts';
import { buildScaleUp } from './scale-up.ts';

/** What one look from this machine came to. */
export interface LookNow {
  readonly cluster: string;
  readonly mode: 'observe' | 'act';
  readonly outcome: ScaleUpOutcome;
  /** The decision that stands after it, where one was come to. */
  readonly decision?: JournalledDecision;
  /** It came to the same as the look before: the decision is an older one. */
  readonly unchanged?: true;
}

const trigger = 'cli';

/**
 * Takes one look at a cluster from this machine, under the same lease and with the same marks as the functions. Its
 * metrics go nowhere: they would come from no log that CloudWatch reads.
 */
export const lookNow = async (request: {
  readonly stack: string;
  readonly cluster: string;
}): Promise<LookNow> => {
  const open = await openDeployment(request.stack);
  const { deployment } = open;
  const [configured] = clustersAskedFor(open, request.cluster);
  if (configured === undefined) throw new Error('clustersAskedFor gives the cluster or throws');
  const network = networkNamed(deployment, configured.network);
  const service = buildScaleUp(
    {
      table: deployment.table,
      decisionsBucket: deployment.decisionsBucket,
      configurationBucket: deployment.configuration.bucket,
      configurationKey: deployment.configuration.key,
      network: configured.network,
      deadLetterQueueUrl: network.deadLetterQueueUrl,
      queueUrl: network.queueUrl,
      pagesTopicArn: deployment.pagesTopicArn,
      engineVersion: packageVersion(),
    },
    { emit: () => undefined },
  );
  const startedMs = Date.now();
  const outcome = await service.scaleUp(configured.name, { trigger });
  if (outcome.status === 'unknownCluster') {
    throw new PortError('notFound', `${configured.name} is not deployed any more`);
  }
  const { decision: id } = outcome;
  const look = { cluster: configured.name, mode: configured.policy.mode, outcome };
  if (id === undefined) return look;
  const decision = await readDecision(openMemory(deployment).journal, id);
  const own = isDecisionOf(decision, { trigger, sinceMs: startedMs });
  return { ...look, decision, ...(own ? {} : { unchanged: true }) };
};
