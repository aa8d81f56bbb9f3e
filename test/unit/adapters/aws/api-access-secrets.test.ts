import { describe, expect, it } from 'vitest';
import { apiAccessSecrets } from '#adapters/aws/secrets-manager-api-access.ts';
import type { TokenAccess } from '#adapters/kubernetes/api-access.ts';

const minute = 60_000;

const start = () => {
  const world = { nowMs: 0, token: 'first', reads: 0, broken: false };
  const secrets = apiAccessSecrets(
    async (secret): Promise<TokenAccess> => {
      world.reads += 1;
      if (world.broken) throw new Error('gone');
      return { server: `https://${secret}`, ca: '', token: world.token };
    },
    () => world.nowMs,
  );
  return { world, secrets };
};

describe('secrets in the memory of a process', () => {
  it('are read once in four minutes, so that a rotated one counts within five', async () => {
    const { world, secrets } = start();
    for (let look = 0; look < 4; look += 1) {
      expect(await secrets.read('a')).toMatchObject({ token: 'first' });
      world.nowMs += minute;
      world.token = 'second';
    }
    expect(world.reads).toBe(1);
    expect(await secrets.read('a')).toMatchObject({ token: 'second' });
  });

  it('are each their own', async () => {
    const { secrets } = start();
    expect(await secrets.read('a')).toMatchObject({ server: 'https://a' });
    expect(await secrets.read('b')).toMatchObject({ server: 'https://b' });
  });

  it('are read at once where somebody asks for that, for all who come after', async () => {
    const { world, secrets } = start();
    await secrets.read('a');
    world.token = 'second';
    expect(await secrets.readAgain('a')).toMatchObject({ token: 'second' });
    expect(await secrets.read('a')).toMatchObject({ token: 'second' });
    expect(world.reads).toBe(2);
  });

  it('are not kept where reading failed, nor what was there before', async () => {
    const { world, secrets } = start();
    await secrets.read('a');
    world.broken = true;
    await expect(secrets.readAgain('a')).rejects.toThrow('gone');
    await expect(secrets.read('a')).rejects.toThrow('gone');
    world.broken = false;
    await expect(secrets.read('a')).resolves.toBeDefined();
  });

  it('are read anew where the clock went back', async () => {
    const { world, secrets } = start();
    await secrets.read('a');
    world.nowMs -= 1;
    await secrets.read('a');
    expect(world.reads).toBe(2);
  });
});
