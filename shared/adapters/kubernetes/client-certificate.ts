import { X509Certificate } from 'node:crypto';
import type { Problem } from '#cluster/problem.ts';
import { formatTime } from '#cluster/time.ts';
import { PortError } from '#ports/port-error.ts';
import type { ApiAccess } from './api-access.ts';

const dayMs = 86_400_000;
const warnedMs = 14 * dayMs;

/**
 * A problem for a client certificate that ends within 14 days. Throws `forbidden` for one that has ended, or
 * has not begun: the API server would refuse it without saying why. `from` names the secret.
 */
export function clientCertificateProblems(
  from: string,
  access: ApiAccess,
  nowMs: number,
): readonly Problem[] {
  if (!('clientCertificate' in access)) return [];
  const { validFrom, validTo } = new X509Certificate(access.clientCertificate);
  const beginsMs = Date.parse(validFrom);
  const endsMs = Date.parse(validTo);
  const refuse = (why: string): PortError =>
    new PortError('forbidden', `${from}: "clientCertificate" ${why}`);
  if (nowMs >= endsMs) {
    throw refuse(`expired at ${formatTime(endsMs)}; put a new one in, with its key.`);
  }
  if (nowMs < beginsMs) throw refuse(`is valid from ${formatTime(beginsMs)} on only.`);
  if (nowMs < endsMs - warnedMs) return [];
  const message = `the client certificate in ${from} expires at ${formatTime(endsMs)}; put a new one in, with its key.`;
  return [{ field: 'clientCertificate', code: 'clientCertificateExpires', message }];
}
