import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { autoScalingGroupOwners } from '#adapters/aws/auto-scaling-group-owners.ts';
import { callCounter } from '#adapters/aws/call-counter.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { putHint } from '#adapters/aws/eventbridge-hints.ts';
import { sqsDeadLetters } from '#adapters/aws/sqs-dead-letters.ts';
import type { ForwardEnvironment } from '#config/environment.ts';
import { type ForwardOutcome, forwardLaunchFailed } from '#operations/forward-events.ts';
import { launchFailedHint } from '#operations/own-events.ts';
import type { DeadLetters } from '#ports/dead-letters.ts';
import type { GroupName } from '#ports/group-owners.ts';
import type { LaunchFailure } from '#ports/hints.ts';
import { accountRoles, eachAccount } from './account-roles.ts';
import { deployedClusters } from './deployed-clusters.ts';

/** All that the function `forward-events` needs of the world. */
export interface ForwardService {
  launchFailed(group: GroupName): Promise<ForwardOutcome>;
  readonly deadLetters: DeadLetters;
}

/** Builds the adapters of a deployed function once for the life of its process. */
export const buildForwardEvents = (environment: ForwardEnvironment): ForwardService => {
  const clusters = deployedClusters(new S3Client(clientOptions), environment);
  const events = new EventBridgeClient(clientOptions);
  // Of this one service: EC2's client and catalogues would only make the bundle larger.
  const autoScaling = eachAccount(
    accountRoles(callCounter()),
    (as) => new AutoScalingClient({ ...clientOptions, ...as }),
  );
  const ports = {
    owners: autoScalingGroupOwners({
      clusters: async () =>
        (await clusters()).map(({ name, network, discoveryTags, account }) => ({
          cluster: name,
          network,
          discoveryTags,
          ...(account === undefined ? {} : { account }),
        })),
      clientFor: ({ account }) => autoScaling(account),
      nowMs: () => Date.now(),
    }),
    hints: {
      launchFailed: (hint: LaunchFailure) =>
        putHint(events, { bus: environment.eventBusName, ...launchFailedHint }, hint),
    },
  };
  return {
    launchFailed: (group) => forwardLaunchFailed(ports, group),
    deadLetters: sqsDeadLetters(new SQSClient(clientOptions), environment.deadLetterQueueUrl),
  };
};
