import { STSClient } from '@aws-sdk/client-sts';
import { assumedRole, type SessionCredentials } from '#adapters/aws/assumed-role.ts';
import type { CallCounter } from '#adapters/aws/call-counter.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import type { ClusterAccount } from '#config/configuration.ts';

export type RoleCredentials = () => Promise<SessionCredentials>;

/** Sessions of roles in other accounts, each kept for the life of the process. */
export const accountRoles = (
  calls: CallCounter,
): ((account: ClusterAccount) => RoleCredentials) => {
  const kept = new Map<string, RoleCredentials>();
  let sts: STSClient | undefined;
  return ({ roleArn, externalId }) => {
    const key = `${roleArn} ${externalId}`;
    sts ??= calls.watch(new STSClient(clientOptions));
    const role =
      kept.get(key) ?? assumedRole(sts, { roleArn, externalId, sessionName: 'outrider' });
    kept.set(key, role);
    return role;
  };
};
