import type { Page, Pages } from '#ports/pages.ts';

export interface MemoryPages extends Pages {
  /** In the order sent. */
  sent(): readonly Page[];
}

export const memoryPages = (): MemoryPages => {
  const pages: Page[] = [];
  return {
    send: async (page) => {
      pages.push(page);
    },
    sent: () => [...pages],
  };
};
