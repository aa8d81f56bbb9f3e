import { type Failure, failureOf } from '#operations/failure.ts';
import { CommandError } from './command-error.ts';
import { plain } from './render/text.ts';

/** What whoever is refused can do, by what they were told. The first that fits. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/\bExpired|RequestExpired|token.* expired/i, 'log in again (aws sso login), or set AWS_PROFILE'],
  [
    /InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|AuthFailure/,
    'set AWS_PROFILE or the AWS_… variables to credentials that AWS knows',
  ],
  [
    /AccessDenied|UnauthorizedOperation|not authorized/,
    'run it as somebody who may (docs/operations.md, "What the commands need")',
  ],
  [/: 403 /, 'kubectl apply -f infra/rbac/outrider-read.yaml'],
];

const refusedRemedy = (message: string): string => {
  const found = remedies.find(([said]) => said.test(message));
  return found === undefined ? '' : `: ${found[1]}`;
};

/**
 * How a failure ends a command. Wrong input, and whoever asks being refused, are for people to mend (2); a world out
 * of reach may be back when they ask again (3).
 */
export const failureError = (
  command: string,
  { code, message }: Pick<Failure, 'code' | 'message'>,
  cause?: unknown,
): CommandError => {
  const remedy = code === 'forbidden' ? refusedRemedy(message) : '';
  const line = `outrider ${command}: ${plain(message.replace(/\s*\n\s*/g, ' ').trim())}${remedy}`;
  const mended = code === 'invalid' || code === 'notFound' || code === 'forbidden';
  return new CommandError(mended ? 2 : 3, line, { cause });
};

/** What a failed read means to the person at the keyboard. Unknown errors are handed back as they are. */
export const commandErrorOf = (command: string, error: unknown): unknown => {
  const failure = failureOf(error);
  return failure.code === 'unexpected' ? error : failureError(command, failure, error);
};
