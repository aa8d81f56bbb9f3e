import { describe, expect, it } from 'vitest';
import { awsErrorName, calling, toPortError } from '#adapters/aws/aws-error.ts';
import { PortError } from '#ports/port-error.ts';

const errorOf = (name: string, httpStatusCode?: number, message = 'said so') =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

describe('errors of AWS', () => {
  it.each([
    ['Throttling', 400, 'throttled'],
    ['ThrottlingException', 400, 'throttled'],
    ['RequestLimitExceeded', 503, 'throttled'],
    ['ProvisionedThroughputExceededException', 400, 'throttled'],
    ['SlowDown', 503, 'throttled'],
    ['ScalingActivityInProgressFault', 400, 'conflict'],
    ['ResourceContentionFault', 500, 'conflict'],
    ['ConditionalCheckFailedException', 400, 'conflict'],
    ['TransactionCanceledException', 400, 'conflict'],
    ['InsufficientInstanceCapacity', 500, 'capacity'],
    ['NoSuchKey', 404, 'notFound'],
    ['ResourceNotFoundException', 400, 'notFound'],
    ['InvalidLaunchTemplateId.NotFound', 400, 'notFound'],
    ['InvalidLaunchTemplateName.NotFoundException', 400, 'notFound'],
    ['AccessDenied', 403, 'forbidden'],
    ['UnauthorizedOperation', 403, 'forbidden'],
    ['ExpiredTokenException', 400, 'forbidden'],
    ['CredentialsProviderError', undefined, 'forbidden'],
    ['TimeoutError', undefined, 'timeout'],
    ['InvalidInstanceType', 400, 'invalid'],
    ['SomethingNew', 400, 'invalid'],
    ['SomethingNew', 403, 'forbidden'],
    ['SomethingNew', 429, 'throttled'],
    ['SomethingNew', 500, 'unavailable'],
    ['InternalFailure', 503, 'unavailable'],
  ])('reads %s with status %s as %s', (name, status, code) => {
    expect(toPortError('Call', errorOf(name, status)).code).toBe(code);
  });

  it('tells a group that is gone from a value out of bounds, which AWS calls the same', () => {
    const gone = errorOf('ValidationError', 400, 'AutoScalingGroup name not found - null');
    expect(toPortError('Call', gone).code).toBe('notFound');
    const above = errorOf(
      'ValidationError',
      400,
      'New SetDesiredCapacity value 9 is above max value 5',
    );
    expect(toPortError('Call', above).code).toBe('invalid');
  });

  it.each([
    ['ECONNREFUSED', 'unavailable'],
    ['ECONNRESET', 'unavailable'],
    ['ENOTFOUND', 'unavailable'],
    ['ETIMEDOUT', 'timeout'],
  ])('reads %s as %s', (code, expected) => {
    const error = Object.assign(new Error(''), { code });
    expect(toPortError('Call', error)).toMatchObject({
      code: expected,
      message: `Call: Error: ${code}`,
    });
  });

  it.each([undefined, null, 'text', new Error('odd')])(
    'tries an unknown error again: %s',
    (error) => {
      expect(toPortError('Call', error)).toMatchObject({ code: 'unavailable', retryable: true });
    },
  );

  it('names the call, keeps the cause, and leaves a PortError as it is', async () => {
    const cause = errorOf('AccessDenied', 403, 'no permission');
    const refused = calling('DescribeThings', () => Promise.reject(cause));
    await expect(refused).rejects.toMatchObject({
      message: 'DescribeThings: AccessDenied: no permission',
      cause,
    });
    const own = new PortError('notFound', 'gone');
    expect(toPortError('Call', own)).toBe(own);
    expect(awsErrorName(toPortError('Call', cause))).toBe('AccessDenied');
    expect(awsErrorName(own)).toBeUndefined();
  });
});
