import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type EksTokens, eksTokens } from '#adapters/aws/eks-token.ts';
import type { ClusterAccount } from '#config/configuration.ts';
import { PortError } from '#ports/port-error.ts';
import type { accountRoles } from './account-roles.ts';

export interface TokenOptions {
  /** Its credentials and region are this process's own. */
  readonly secrets: SecretsManagerClient;
  readonly roles: ReturnType<typeof accountRoles>;
  /** The accounts whose roles a secret may name. */
  readonly accounts: () => Promise<readonly ClusterAccount[]>;
}

/** Tokens for EKS, signed as this process or as a role that the configuration names. */
export const clusterTokens = ({ secrets, roles, accounts }: TokenOptions): EksTokens =>
  eksTokens({
    credentials: async (roleArn) => {
      if (roleArn === undefined) return secrets.config.credentials();
      const account = (await accounts()).find((each) => each.roleArn === roleArn);
      if (account !== undefined) return roles(account)();
      throw new PortError(
        'invalid',
        `roleArn ${roleArn} is no account.roleArn of outrider.yaml: name it there, with its external id`,
      );
    },
    region: () => secrets.config.region(),
    nowMs: () => Date.now(),
  });
