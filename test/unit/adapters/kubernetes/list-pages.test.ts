import { describe, expect, it } from 'vitest';
import type { ApiClient } from '#adapters/kubernetes/api-client.ts';
import { statusError } from '#adapters/kubernetes/api-error.ts';
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

  it('gives up on a list that expires again and again', async () => {
    const { client, queries } = serverOf(expired(), expired(), expired(), expired(), page([1]));
    const list = listPages(client, { path: '/x' }, read);
    await expect(list).rejects.toMatchObject({ code: 'unavailable' });
    expect(queries).toHaveLength(4);
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
