import { describe, expect, it } from 'vitest';
import type { ApiAccess } from '#adapters/kubernetes/api-access.ts';
import type { ApiClient } from '#adapters/kubernetes/api-client.ts';
import { keptClients } from '#adapters/kubernetes/kept-clients.ts';

const accessOf = (token: string): ApiAccess => ({ server: 'https://10.0.0.1', ca: '', token });

const start = (most?: number) => {
  const made: string[] = [];
  const closed: string[] = [];
  const clients = keptClients((cluster, access) => {
    const name = `${cluster} ${'token' in access ? access.token : ''}`;
    made.push(name);
    return { close: () => closed.push(name) } as unknown as ApiClient;
  }, most);
  const use = (cluster: string, token = 't', work: () => Promise<void> = async () => {}) =>
    clients.use(cluster, accessOf(token), work);
  return { made, closed, clients, use };
};

describe('kept clients', () => {
  it('are used again while the secret is the same, and closed once it is another', async () => {
    const { made, closed, use } = start();
    await use('a', 'first');
    await use('a', 'first');
    expect(made).toEqual(['a first']);
    await use('a', 'second');
    expect(made).toEqual(['a first', 'a second']);
    expect(closed).toEqual(['a first']);
  });

  it('are so many at most: of a thousand clusters those looked at last', async () => {
    const { made, closed, use } = start(10);
    for (let cluster = 0; cluster < 1_000; cluster += 1) await use(`c${cluster}`);
    expect(made).toHaveLength(1_000);
    expect(closed).toEqual(made.slice(0, 990));
    await use('c990');
    await use('new');
    expect(closed.at(-1)).toBe('c991 t');
  });

  it('are closed only when the last who uses them is done, however that ends', async () => {
    const { closed, use } = start(1);
    const { promise, reject } = Promise.withResolvers<void>();
    const busy = use('a', 'first', () => promise);
    const also = use('a', 'first', () => promise);
    await use('b');
    expect(closed).toEqual([]);
    reject(new Error('broken'));
    await expect(busy).rejects.toThrow('broken');
    await expect(also).rejects.toThrow('broken');
    expect(closed).toEqual(['a first']);
  });

  it('are all closed in the end', async () => {
    const { closed, clients, use } = start();
    await use('a');
    await use('b');
    clients.close();
    expect(closed).toEqual(['a t', 'b t']);
  });
});
