import { describe, expect, it } from 'vitest';
import { guardedLookup } from '#adapters/kubernetes/guarded-lookup.ts';

/** `dns.lookup` answers an address with itself, as it would a name that leads there. */
const lookup = (host: string, all: boolean) =>
  new Promise((done, fail) => {
    guardedLookup(host, { all }, (error, address) => (error ? fail(error) : done(address)));
  });

describe('guarded lookup', () => {
  it.each([true, false])(
    'refuses a name that leads to the metadata service (all: %s)',
    async (all) => {
      for (const host of ['169.254.169.254', 'fd00:ec2::254', '::ffff:169.254.169.254']) {
        await expect(lookup(host, all)).rejects.toMatchObject({
          code: 'invalid',
          message: expect.stringContaining(host),
        });
      }
    },
  );

  it('passes every other address on', async () => {
    expect(await lookup('10.0.0.1', false)).toBe('10.0.0.1');
    expect(await lookup('10.0.0.1', true)).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  it('passes on that there is no such name', async () => {
    await expect(lookup('no-such-name.invalid', true)).rejects.toMatchObject({
      code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
  });
});
