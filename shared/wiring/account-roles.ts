import { STSClient } from '@aws-sdk/client-sts';
import { assumedRole, type SessionCredentials } from '#adapters/aws/assumed-role.ts';
import type { CallCounter } from '#adapters/aws/call-counter.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { setNewest } from '#cluster/newest.ts';
import type { ClusterAccount } from '#config/configuration.ts';

export type RoleCredentials = () => Promise<SessionCredentials>;

/** Sessions of roles in other accounts, each kept for the life of the process. */
export const accountRoles = (
  calls: CallCounter,
): ((account: ClusterAccount) => RoleCredentials) => {
  const kept = new Map<string, RoleCredentials>();
  let sts: STSClient | undefined;
  return (account) => {
    const { roleArn, externalId } = account;
    sts ??= calls.watch(new STSClient(clientOptions));
    const role =
      kept.get(keyOf(account)) ??
      assumedRole(sts, { roleArn, externalId, sessionName: 'outrider' });
    kept.set(keyOf(account), role);
    return role;
  };
};

/** More accounts than one network's clusters are likely to be in. */
const mostKept = 200;

/**
 * One of a kind for each account, made once for the life of the process: without an account named, with our own
 * credentials; else with those of the role there. The ones longest unused are forgotten first.
 */
export const eachAccount = <T>(
  roles: (account: ClusterAccount) => RoleCredentials,
  make: (as: { readonly credentials?: RoleCredentials }) => T,
): ((account: ClusterAccount | undefined) => T) => {
  const kept = new Map<string, T>();
  return (account) => {
    const key = account === undefined ? '' : keyOf(account);
    const made =
      kept.get(key) ?? make(account === undefined ? {} : { credentials: roles(account) });
    setNewest(kept, [key, made], mostKept);
    return made;
  };
};

const keyOf = ({ roleArn, externalId }: ClusterAccount): string => `${roleArn} ${externalId}`;
