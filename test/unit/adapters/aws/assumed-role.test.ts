import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import type { STSClient } from '@aws-sdk/client-sts';
import { describe, expect, it } from 'vitest';
import { assumedRole } from '#adapters/aws/assumed-role.ts';
import { calling } from '#adapters/aws/aws-error.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const role = {
  roleArn: 'arn:aws:iam::111111111111:role/outrider',
  externalId: 'agreed-upon-42',
  sessionName: 'outrider',
};

const start = () => {
  let now = 1_700_000_000_000;
  let trouble: (() => never) | undefined;
  let sessions = 0;
  const { client, inputs } = clientOf(async () => {
    await Promise.resolve();
    trouble?.();
    sessions += 1;
    return {
      Credentials: {
        AccessKeyId: `key-${sessions}`,
        SecretAccessKey: 'hidden',
        SessionToken: 'hidden too',
        Expiration: new Date(now + hourMs),
      },
    };
  });
  const credentials = assumedRole(client as unknown as STSClient, role, () => now);
  return {
    inputs,
    credentials,
    key: async () => (await credentials()).accessKeyId,
    passes: (ms: number) => {
      now += ms;
    },
    meets: (fault: (() => never) | undefined) => {
      trouble = fault;
    },
  };
};

describe('an assumed role', () => {
  it('is taken on for an hour, with its external id', async () => {
    const { inputs, credentials } = start();
    expect(await credentials()).toEqual({
      accessKeyId: 'key-1',
      secretAccessKey: 'hidden',
      sessionToken: 'hidden too',
      expiration: new Date(1_700_000_000_000 + hourMs),
    });
    expect(inputs).toEqual([
      {
        RoleArn: role.roleArn,
        RoleSessionName: 'outrider',
        ExternalId: 'agreed-upon-42',
        DurationSeconds: 3600,
      },
    ]);
  });

  it('is taken on once for all who ask at the same time', async () => {
    const { inputs, key } = start();
    expect(await Promise.all([key(), key(), key()])).toEqual(['key-1', 'key-1', 'key-1']);
    expect(inputs).toHaveLength(1);
  });

  it('is taken on anew five minutes before its session ends', async () => {
    const { key, passes } = start();
    await key();
    passes(hourMs - 5 * minuteMs - 1);
    expect(await key()).toBe('key-1');
    passes(1);
    expect(await key()).toBe('key-2');
  });

  it('goes on with its session while STS is in trouble, and no longer', async () => {
    const { key, passes, meets } = start();
    await key();
    meets(() => refuse('ServiceUnavailable', 503));
    passes(hourMs - 2 * minuteMs);
    expect(await key()).toBe('key-1');
    passes(minuteMs);
    await expect(key()).rejects.toMatchObject({ code: 'unavailable' });
    meets(undefined);
    expect(await key()).toBe('key-2');
  });

  it('is given up at once where it may no longer be taken on, with the remedy and no secret', async () => {
    const { key, passes, meets } = start();
    await key();
    meets(() => refuse('AccessDenied', 403, 'not authorized to perform: sts:AssumeRole'));
    passes(hourMs - 2 * minuteMs);
    const refused = key();
    await expect(refused).rejects.toMatchObject({
      code: 'forbidden',
      retryable: false,
      message: expect.stringMatching(
        /AssumeRole.*trust policy of arn:aws:iam::111111111111.*external id/,
      ),
    });
    const said = await refused.catch((error: unknown) => String(error));
    expect(said).not.toContain('agreed-upon-42');
  });

  it('fails a client’s call as what it is, without a repetition', async () => {
    const { credentials, inputs, meets } = start();
    meets(() => refuse('AccessDenied', 403));
    const client = new AutoScalingClient({ region: 'us-east-1', credentials });
    const call = calling('DescribeAutoScalingGroups', () =>
      client.send(new DescribeAutoScalingGroupsCommand({})),
    );
    await expect(call).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/^AssumeRole/),
    });
    expect(inputs).toHaveLength(1);
  });
});
