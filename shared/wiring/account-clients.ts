import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import type { CallCounter } from '#adapters/aws/call-counter.ts';
import { clientOptions, singleAttempt } from '#adapters/aws/client-options.ts';
import {
  type InstanceRequirementsCatalogue,
  instanceRequirementsCatalogue,
} from '#adapters/aws/ec2-instance-requirements.ts';
import {
  type InstanceTypeCatalogue,
  instanceTypeCatalogue,
} from '#adapters/aws/ec2-instance-types.ts';
import { ec2SpotPrices } from '#adapters/aws/ec2-spot-prices.ts';
import {
  type LaunchTemplateCatalogue,
  launchTemplateCatalogue,
} from '#adapters/aws/launch-template-catalogue.ts';
import type { ClusterAccount } from '#config/configuration.ts';
import type { SpotPrices } from '#ports/spot-prices.ts';
import { accountRoles, eachAccount } from './account-roles.ts';

/** How one account is asked, and what was learnt of it. */
export interface AccountClients {
  readonly autoScaling: AutoScalingClient;
  readonly raising: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly instanceTypes: InstanceTypeCatalogue;
  readonly launchTemplates: LaunchTemplateCatalogue;
  readonly requirements: InstanceRequirementsCatalogue;
  readonly spotPrices: SpotPrices;
}

/** Clients by account, made once for the life of the process. */
export const accountClients = (
  calls: CallCounter,
  roles: ReturnType<typeof accountRoles> = accountRoles(calls),
): ((account: ClusterAccount | undefined) => AccountClients) =>
  // One session for all three.
  eachAccount(roles, (as) => {
    const ec2 = calls.watch(new EC2Client({ ...clientOptions, ...as }));
    return {
      autoScaling: calls.watch(new AutoScalingClient({ ...clientOptions, ...as })),
      raising: calls.watch(new AutoScalingClient({ ...singleAttempt, ...as })),
      ec2,
      instanceTypes: instanceTypeCatalogue(ec2),
      launchTemplates: launchTemplateCatalogue(ec2),
      requirements: instanceRequirementsCatalogue(ec2),
      spotPrices: ec2SpotPrices(ec2),
    };
  });
