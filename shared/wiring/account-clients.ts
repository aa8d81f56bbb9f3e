import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { type CallCounter, callCounter } from '#adapters/aws/call-counter.ts';
import { clientOptions, singleAttempt } from '#adapters/aws/client-options.ts';
import {
  type InstanceTypeCatalogue,
  instanceTypeCatalogue,
} from '#adapters/aws/ec2-instance-types.ts';
import {
  type LaunchTemplateCatalogue,
  launchTemplateCatalogue,
} from '#adapters/aws/launch-template-catalogue.ts';
import type { ClusterAccount } from '#config/configuration.ts';

/** How one account is asked, and what was learnt of it. */
export interface AccountClients {
  readonly autoScaling: AutoScalingClient;
  readonly raising: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly instanceTypes: InstanceTypeCatalogue;
  readonly launchTemplates: LaunchTemplateCatalogue;
}

/** Clients by account, made once for the life of the process: without an account named, our own. */
export const accountClients = (
  calls: CallCounter = callCounter(),
): ((account: ClusterAccount | undefined) => AccountClients) => {
  const kept = new Map<string, AccountClients>();
  const make = (): AccountClients => {
    const ec2 = calls.watch(new EC2Client(clientOptions));
    return {
      autoScaling: calls.watch(new AutoScalingClient(clientOptions)),
      raising: calls.watch(new AutoScalingClient(singleAttempt)),
      ec2,
      instanceTypes: instanceTypeCatalogue(ec2),
      launchTemplates: launchTemplateCatalogue(ec2),
    };
  };
  return (account) => {
    const key = account === undefined ? '' : `${account.roleArn} ${account.externalId}`;
    const clients = kept.get(key) ?? make();
    kept.set(key, clients);
    return clients;
  };
};
