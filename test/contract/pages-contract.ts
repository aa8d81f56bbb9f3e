import { describe, expect, it } from 'vitest';
import type { Page, Pages } from '#ports/pages.ts';

export interface PagesAdapter {
  readonly pages: Pages;
  /** What a program that subscribed has got so far. */
  received(): Promise<readonly Page[]>;
}

const page: Page = {
  id: 'prod/group-launches-fail/workers/1700000000000',
  cluster: 'prod',
  kind: 'group-launches-fail',
  subject: 'group workers',
  atMs: 1_700_000_000_000,
  summary: 'AWS refuses to launch in größer',
  text: 'Two lines:\n"quoted" and \\escaped\\.',
  decision: 'prod/scale-up/7',
};

/** What every Pages does. */
export function describePagesContract(
  name: string,
  makeAdapter: () => PagesAdapter | Promise<PagesAdapter>,
): void {
  describe(`Pages: ${name}`, () => {
    it('hands programs the page as it was sent', async () => {
      const { pages, received } = await makeAdapter();
      await pages.send(page);
      expect(await received()).toEqual([page]);
    });

    it('knows pages without a decision, and the same page sent twice by its id', async () => {
      const { pages, received } = await makeAdapter();
      const { decision: _, ...undecided } = page;
      await pages.send(undecided);
      await pages.send(undecided);
      const got = await received();
      expect(got[0]).toEqual(undecided);
      expect(new Set(got.map(({ id }) => id)).size).toBe(1);
    });
  });
}
