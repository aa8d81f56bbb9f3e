import { describe, expect, it } from 'vitest';
import { PortError, type PortErrorCode } from '#ports/port-error.ts';
import { commandErrorOf } from '../../../cli/port-failure.ts';

const ended = (code: PortErrorCode, message: string) =>
  commandErrorOf('status', new PortError(code, message));

describe('how a failure ends a command', () => {
  it.each([
    ['invalid', 2],
    ['notFound', 2],
    ['forbidden', 2],
    ['unavailable', 3],
    ['timeout', 3],
    ['throttled', 3],
    ['conflict', 3],
    ['capacity', 3],
  ] as const)('%s: exit %i', (code, exitCode) => {
    expect(ended(code, 'a\n  b')).toMatchObject({ exitCode, message: 'outrider status: a b' });
  });

  it.each([
    ['GET /api/v1/nodes: 403 nodes is forbidden: User "x" cannot list', /outrider-read\.yaml$/],
    ['ListX: AccessDenied: User: a is not authorized to perform: b', /as somebody who may/],
    ['ListX: ExpiredToken: The security token included is expired', /log in again/],
    ['ListX: InvalidClientTokenId: The security token is invalid', /credentials that AWS knows$/],
  ])('tells whoever is refused what to do: %s', (message, remedy) => {
    expect(ended('forbidden', message)).toMatchObject({ message: expect.stringMatching(remedy) });
  });

  it('hands back what nobody has foreseen', () => {
    const error = new TypeError('x');
    expect(commandErrorOf('status', error)).toBe(error);
  });
});
