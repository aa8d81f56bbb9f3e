import { describe, expect, it } from 'vitest';
import type { ApiClient } from '#adapters/kubernetes/api-client.ts';
import { statusError, tooLargeError } from '#adapters/kubernetes/api-error.ts';
import { listPages } from '#adapters/kubernetes/list-pages.ts';

const expired = () => statusError('GET /x', { status: 410 }, '{"reason":"Expired"}');

/** A server that answers each request in turn, with a page or an error. */
const serverOf = (...answers: readonly unknown[]) => {
  const queries: unknown[] = [];
  const rest = [...answers];
  const client: Pick<ApiClient, 'get'> = {
    async get(_path, query) {
      queries.push(query);
      const answer = rest.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { client: client as ApiClient, queries };
};

const page = (items: readonly unknown[] | null, token = '', resourceVersion = '7') => ({
  metadata: { resourceVersion, ...(token !== '' && { continue: token }) },
  items,
});

const read = (items: readonly unknown[]) => items;

describe('list pages', () => {
  it('follows continue tokens, 500 at a time, from a consistent read', async () => {
    const { client, queries } = serverOf(page([1, 2], 'next'), page([3]));
    const request = { path: '/x', query: { fieldSelector: 'a=b' } };
    expect(await listPages(client, request, read)).toEqual({
      pages: [[1, 2], [3]],
      resourceVersion: '7',
    });
    expect(queries).toEqual([
      { fieldSelector: 'a=b', limit: '500' },
      { fieldSelector: 'a=b', limit: '500', continue: 'next' },
    ]);
  });

  it('reads a list without items as empty', async () => {
    const { client } = serverOf(page(null));
    expect((await listPages(client, { path: '/x' }, read)).pages).toEqual([[]]);
  });

  it('starts again where the token has expired, and keeps nothing of before', async () => {
    const { client, queries } = serverOf(page([1], 'old'), expired(), page([2], '', '9'));
    expect(await listPages(client, { path: '/x' }, read)).toEqual({
      pages: [[2]],
      resourceVersion: '9',
    });
    expect(queries.at(-1)).toEqual({ limit: '500' });
  });

  it('gives up on a list that expires a second time', async () => {
    const { client, queries } = serverOf(expired(), expired(), page([1]));
    const list = listPages(client, { path: '/x' }, read);
    await expect(list).rejects.toMatchObject({ code: 'unavailable' });
    expect(queries).toHaveLength(2);
  });

  it('starts again where a page shows another resource version', async () => {
    const { client, queries } = serverOf(
      page([1], 'next', '7'),
      page([2], '', '8'),
      page([1], 'next', '9'),
      page([2], '', '9'),
    );
    expect(await listPages(client, { path: '/x' }, read)).toEqual({
      pages: [[1], [2]],
      resourceVersion: '9',
    });
    expect(queries).toHaveLength(4);
  });

  it('asks for smaller pages where one is larger than an answer may be', async () => {
    const { client, queries } = serverOf(
      page([1], 'next'),
      tooLargeError('GET /x', 5),
      page([1, 2, 3]),
    );
    const request = { path: '/x', pageSize: 1_000 };
    expect((await listPages(client, request, read)).pages).toEqual([[1, 2, 3]]);
    expect(queries.at(-1)).toEqual({ limit: '50' });
    const never = serverOf(tooLargeError('GET /x', 5), tooLargeError('GET /x', 5));
    await expect(listPages(never.client, request, read)).rejects.toThrow('larger than 5 bytes');
    expect(never.queries).toHaveLength(2);
  });

  it('asks for the next page before it reads this one', async () => {
    const { client, queries } = serverOf(page([1], 'next'), page([2]));
    const asked: number[] = [];
    await listPages(client, { path: '/x' }, () => asked.push(queries.length));
    expect(asked).toEqual([2, 2]);
  });

  it('ends a list that has no end', async () => {
    const many = Array.from({ length: 100_000 }, () => null);
    const client = { get: async () => page(many, 'again') };
    const list = listPages(client as unknown as ApiClient, { path: '/x' }, () => undefined);
    await expect(list).rejects.toMatchObject({
      code: 'invalid',
      message: 'GET /x: more than 500000 objects',
    });
  });

  it('passes every other refusal on', async () => {
    const { client } = serverOf(page([1], 'next'), statusError('GET /x', { status: 403 }, ''));
    await expect(listPages(client, { path: '/x' }, read)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it.each([[null], [{}], [{ metadata: {}, items: {} }], ['x']])(
    'takes %j for no list',
    async (answer) => {
      const { client } = serverOf(answer);
      await expect(listPages(client, { path: '/x' }, read)).rejects.toMatchObject({
        code: 'unavailable',
      });
    },
  );
});
