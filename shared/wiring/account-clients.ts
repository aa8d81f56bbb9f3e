import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import type { CallCounter } from '#adapters/aws/call-counter.ts';
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
import { accountRoles } from './account-roles.ts';

/** How one account is asked, and what was learnt of it. */
export interface AccountClients {
  readonly autoScaling: AutoScalingClient;
  readonly raising: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly instanceTypes: InstanceTypeCatalogue;
  readonly launchTemplates: LaunchTemplateCatalogue;
}

/** More accounts than one network's clusters are likely to be in. */
const mostKept = 200;

/**
 * Clients by account, made once for the life of the process: without an account named, our own; else with the
 * credentials of the role there. The ones longest unused are forgotten first.
 */
export const accountClients = (
  calls: CallCounter,
  roles: ReturnType<typeof accountRoles> = accountRoles(calls),
): ((account: ClusterAccount | undefined) => AccountClients) => {
  const kept = new Map<string, AccountClients>();
  const make = (account: ClusterAccount | undefined): AccountClients => {
    // One session for all three.
    const credentials = account === undefined ? {} : { credentials: roles(account) };
    const ec2 = calls.watch(new EC2Client({ ...clientOptions, ...credentials }));
    return {
      autoScaling: calls.watch(new AutoScalingClient({ ...clientOptions, ...credentials })),
      raising: calls.watch(new AutoScalingClient({ ...singleAttempt, ...credentials })),
      ec2,
      instanceTypes: instanceTypeCatalogue(ec2),
      launchTemplates: launchTemplateCatalogue(ec2),
    };
  };
  return (account) => {
    const key = account === undefined ? '' : `${account.roleArn} ${account.externalId}`;
    const clients = kept.get(key) ?? make(account);
    kept.delete(key);
    kept.set(key, clients);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return clients;
  };
};
