import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { PortError } from '#ports/port-error.ts';
import { calling } from './aws-error.ts';

export interface RoleToAssume {
  readonly roleArn: string;
  /** Agreed with whoever owns the account; the role's trust policy asks for it. */
  readonly externalId: string;
  /** Names Outrider in the other account's CloudTrail. */
  readonly sessionName: string;
}

/** What the SDK signs a call with. */
export interface SessionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiration: Date;
}

/** The longest session that a role may take on from another role's session. */
const sessionSeconds = 3600;
const renewedBeforeMs = 5 * 60 * 1000;
/** Enough for calls under way and their repetitions. */
const usableBeforeMs = 60 * 1000;

/**
 * Credentials of a role in another account, for the `credentials` of any client: a session of one hour, taken once
 * for all that ask at the same time and renewed five minutes before its end. While a renewal fails for a reason
 * that may pass, the session is used until a minute before its end. Throws `forbidden`, naming the remedy, where
 * the role may not be taken on.
 */
export function assumedRole(
  sts: STSClient,
  role: RoleToAssume,
  nowMs: () => number = Date.now,
): () => Promise<SessionCredentials> {
  let session: SessionCredentials | undefined;
  let asking: Promise<SessionCredentials> | undefined;

  const lasts = (beforeMs: number): boolean =>
    session !== undefined && session.expiration.getTime() - beforeMs > nowMs();

  const renew = async (): Promise<SessionCredentials> => {
    try {
      session = await assume(sts, role);
      return session;
    } catch (error) {
      const mayPass = error instanceof PortError && error.retryable;
      if (mayPass && session !== undefined && lasts(usableBeforeMs)) return session;
      throw error;
    } finally {
      asking = undefined;
    }
  };

  return async () => {
    if (session !== undefined && lasts(renewedBeforeMs)) return session;
    asking ??= renew();
    return asking;
  };
}

async function assume(sts: STSClient, role: RoleToAssume): Promise<SessionCredentials> {
  const call = `AssumeRole (${role.roleArn})`;
  const command = new AssumeRoleCommand({
    RoleArn: role.roleArn,
    RoleSessionName: role.sessionName,
    ExternalId: role.externalId,
    DurationSeconds: sessionSeconds,
  });
  const { Credentials } = await calling(call, () => sts.send(command)).catch((error: unknown) => {
    throw withRemedy(role, error);
  });
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
  if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) {
    throw new PortError('unavailable', `${call}: the answer holds no credentials`);
  }
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    expiration: Expiration,
  };
}

/** The external id stays unsaid: whoever knows it and is trusted may take the role on. */
function withRemedy({ roleArn }: RoleToAssume, error: unknown): unknown {
  if (!(error instanceof PortError) || error.code !== 'forbidden') return error;
  return new PortError(
    'forbidden',
    `${error.message}: let the trust policy of ${roleArn} allow sts:AssumeRole to this function's role ` +
      `with the external id of the cluster's account.externalId in outrider.yaml`,
    { cause: error.cause },
  );
}
