import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type ApiAccess, checkApiAccess } from '#adapters/kubernetes/api-access.ts';
import { PortError } from '#ports/port-error.ts';
import { calling } from './aws-error.ts';

/**
 * Reads how to reach a cluster's API server from a secret with `{ server, ca, token }`, fresh each time, so that
 * a rotated token is used at the next look. Refusals are those of `checkApiAccess`.
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
