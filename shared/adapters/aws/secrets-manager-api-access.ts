import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type ApiAccess, checkApiAccess } from '#adapters/kubernetes/api-access.ts';
import { setNewest } from '#cluster/newest.ts';
import { PortError } from '#ports/port-error.ts';
import { calling } from './aws-error.ts';

/**
 * Reads how to reach a cluster's API server from a secret (docs/guides/api-access.md), fresh each time. Refusals
 * are those of `checkApiAccess`.
 */
export async function readApiAccessSecret(
  client: SecretsManagerClient,
  secret: string,
): Promise<ApiAccess> {
  const command = new GetSecretValueCommand({ SecretId: secret });
  const answer = await calling(`GetSecretValue (${secret})`, () => client.send(command));
  const from = `Secret ${secret}`;
  let value: unknown;
  try {
    value = JSON.parse(answer.SecretString ?? '');
  } catch {
    // The parser's own message would repeat a piece of the secret.
    throw new PortError('invalid', `${from}: content must be JSON { "server", "ca", "token" }.`);
  }
  return checkApiAccess(from, value);
}

/** Secrets as the process last read them. */
export interface ApiAccessSecrets {
  /** At most four minutes old. */
  read(secret: string): Promise<ApiAccess>;
  /** As it is now. */
  readAgain(secret: string): Promise<ApiAccess>;
}

/** Less than the five minutes within which a rotated secret must count, a look and a lost sweep included. */
const keptMs = 4 * 60_000;
const mostKept = 2_000;

/**
 * Keeps what `readFresh` reads for four minutes: a cluster that is swept every minute costs 15 reads an hour. A read
 * that failed is not kept, and neither is what was read before it.
 */
export function apiAccessSecrets(
  readFresh: (secret: string) => Promise<ApiAccess>,
  nowMs: () => number,
): ApiAccessSecrets {
  const kept = new Map<string, { readonly access: ApiAccess; readonly atMs: number }>();
  const readAgain = async (secret: string): Promise<ApiAccess> => {
    kept.delete(secret);
    const atMs = nowMs();
    const access = await readFresh(secret);
    setNewest(kept, [secret, { access, atMs }], mostKept);
    return access;
  };
  return {
    readAgain,
    async read(secret) {
      const before = kept.get(secret);
      const ageMs = before === undefined ? Number.NaN : nowMs() - before.atMs;
      return before !== undefined && ageMs >= 0 && ageMs < keptMs
        ? before.access
        : await readAgain(secret);
    },
  };
}
