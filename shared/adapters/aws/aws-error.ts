import { PortError, type PortErrorCode } from '#ports/port-error.ts';

/** What the SDK's errors have in common; Node's own (`ECONNREFUSED`) carry `code`. */
interface AwsErrorShape {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Names of errors by what they mean to the caller. Names differ by service: EC2 writes
 * `RequestLimitExceeded` and `InvalidInstanceType`, Auto Scaling `Throttling` and
 * `ScalingActivityInProgress`, DynamoDB `ThrottlingException` and `ConditionalCheckFailedException`.
 */
const byName: readonly (readonly [PortErrorCode, RegExp])[] = [
  [
    'throttled',
    /^(Throttling|ThrottlingException|ThrottledException|RequestThrottled|RequestThrottledException|RequestLimitExceeded|TooManyRequestsException|ProvisionedThroughputExceededException|BandwidthLimitExceeded|PriorRequestNotComplete|SlowDown|LimitExceededException|EC2ThrottledException)$/,
  ],
  [
    'capacity',
    /^(InsufficientInstanceCapacity|InsufficientHostCapacity|InstanceLimitExceeded|VcpuLimitExceeded|MaxSpotInstanceCountExceeded|SpotMaxPriceTooLow)$/,
  ],
  [
    'conflict',
    /^(ConditionalCheckFailedException|TransactionCanceledException|TransactionConflictException|TransactionInProgressException|ScalingActivityInProgress(Fault)?|ResourceInUse(Fault)?|ResourceContention(Fault)?|ConditionalRequestConflict|OperationAborted|PreconditionFailed)$/,
  ],
  [
    'notFound',
    /^(ResourceNotFoundException|NoSuchKey|NoSuchBucket|NotFound|QueueDoesNotExist|AWS\.SimpleQueueService\.NonExistentQueue|Invalid\w+\.NotFound(Exception)?|Invalid\w+ID\.NotFound)$/,
  ],
  [
    'forbidden',
    /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|AuthFailure|InvalidClientTokenId|UnrecognizedClientException|ExpiredToken|ExpiredTokenException|RequestExpired|SignatureDoesNotMatch|MissingAuthenticationToken|OptInRequired|KMS\.AccessDeniedException|CredentialsProviderError|TokenProviderError|DecryptionFailure)$/,
  ],
  ['timeout', /^(TimeoutError|RequestTimeout|RequestTimeoutException|AbortError)$/],
];

const byNodeCode: Readonly<Record<string, PortErrorCode>> = {
  ETIMEDOUT: 'timeout',
  ESOCKETTIMEDOUT: 'timeout',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EPIPE: 'unavailable',
  ENOTFOUND: 'unavailable',
  EAI_AGAIN: 'unavailable',
  EHOSTUNREACH: 'unavailable',
  ENETUNREACH: 'unavailable',
};

/** Auto Scaling says so of a group that is gone, under the plain name ValidationError. */
const saysNotFound = /\bnot found\b|does not exist|doesn't exist/i;

function codeOf(error: AwsErrorShape): PortErrorCode {
  const name = error.name ?? '';
  const known = byName.find(([, pattern]) => pattern.test(name))?.[0];
  if (known !== undefined) return known;
  if (name === 'ValidationError' && saysNotFound.test(error.message ?? '')) return 'notFound';
  const network = byNodeCode[error.code ?? ''] ?? byNodeCode[name];
  if (network !== undefined) return network;
  const status = error.$metadata?.httpStatusCode;
  if (status === undefined) return 'unavailable';
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 409 || status === 412) return 'conflict';
  return status >= 500 ? 'unavailable' : 'invalid';
}

/**
 * The PortError for anything that the SDK throws. An error that nothing is known of counts as
 * `unavailable`, so that it is tried again. `call` names what was asked: `DescribeInstanceTypes`.
 */
export function toPortError(call: string, error: unknown): PortError {
  if (error instanceof PortError) return error;
  const shape: AwsErrorShape = typeof error === 'object' && error !== null ? error : {};
  const said = [shape.name, shape.message || shape.code].filter(Boolean).join(': ');
  return new PortError(codeOf(shape), `${call}: ${said || String(error)}`, { cause: error });
}

/** Makes one call and throws whatever goes wrong as a PortError. */
export async function calling<Answer>(call: string, send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    throw toPortError(call, error);
  }
}

/** The SDK's name of the error behind a PortError: `InvalidInstanceType`. */
export function awsErrorName(error: unknown): string | undefined {
  const cause = error instanceof PortError ? error.cause : error;
  if (typeof cause !== 'object' || cause === null) return undefined;
  return (cause as AwsErrorShape).name;
}
