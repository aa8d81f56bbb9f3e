import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientCertificateProblems } from '#adapters/kubernetes/client-certificate.ts';
import { newAuthority } from '../../../helpers/fake-api-server.ts';

const day = 86_400_000;
let clientCertificate: string;
let beginsMs: number;
let endsMs: number;
beforeAll(async () => {
  clientCertificate = readFileSync((await newAuthority()).certificateFile, 'utf8');
  const { validFrom, validTo } = new X509Certificate(clientCertificate);
  beginsMs = Date.parse(validFrom);
  endsMs = Date.parse(validTo);
});

const place = { server: 'https://10.0.0.1', ca: '' };
const problemsAt = (nowMs: number) =>
  clientCertificateProblems('Secret a', { ...place, clientCertificate, clientKey: '' }, nowMs);

describe('a client certificate', () => {
  it('is no problem while it is valid for more than 14 days', () => {
    expect(problemsAt(beginsMs)).toEqual([]);
    expect(problemsAt(endsMs - 14 * day - 1)).toEqual([]);
  });

  it('is a problem for its last 14 days, in the same words each day', () => {
    const [first, ...more] = problemsAt(endsMs - 14 * day);
    expect(first).toMatchObject({ code: 'clientCertificateExpires', field: 'clientCertificate' });
    expect(first?.message).toMatch(/Secret a expires at \d{4}-\d\d-\d\dT.*; put a new one in/);
    expect(more).toEqual([]);
    expect(problemsAt(endsMs - 1)).toEqual([first]);
  });

  it('is refused before and after its time', () => {
    expect(() => problemsAt(endsMs)).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        retryable: false,
        message: expect.stringMatching(/^Secret a: "clientCertificate" expired at /),
      }),
    );
    expect(() => problemsAt(beginsMs - 1)).toThrow(/is valid from .* on only/);
  });

  it('matters to nobody who has a token', () => {
    expect(clientCertificateProblems('Secret a', { ...place, token: 'x' }, endsMs)).toEqual([]);
  });
});
