import { describe, expect, it } from 'vitest';
import { callCounter } from '#adapters/aws/call-counter.ts';
import { accountClients } from '#wiring/account-clients.ts';

const accountOf = (number: number) => ({
  roleArn: `arn:aws:iam::${String(number).padStart(12, '0')}:role/outrider`,
  externalId: 'agreed-upon',
});

describe('clients by account', () => {
  it('are made once for each account, role and external id', () => {
    const clients = accountClients(callCounter());
    const first = clients(accountOf(1));
    expect(clients(accountOf(1))).toBe(first);
    expect(clients(undefined)).toBe(clients(undefined));
    expect(clients(undefined)).not.toBe(first);
    expect(clients(accountOf(2))).not.toBe(first);
    expect(clients({ ...accountOf(1), externalId: 'another' })).not.toBe(first);
  });

  it('are bounded in number, and those in use stay', () => {
    const clients = accountClients(callCounter());
    const inUse = clients(accountOf(0));
    const left = clients(accountOf(1));
    for (let number = 2; number < 210; number += 1) {
      clients(accountOf(number));
      clients(accountOf(0));
    }
    expect(clients(accountOf(0))).toBe(inUse);
    expect(clients(accountOf(1))).not.toBe(left);
  });
});
