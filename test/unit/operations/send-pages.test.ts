import { describe, expect, it } from 'vitest';
import { memoryPages } from '#adapters/memory/memory-pages.ts';
import { sendPages } from '#operations/send-pages.ts';
import { PortError } from '#ports/port-error.ts';

const sinceMs = Date.UTC(2026, 0, 5);
const hour = 3_600_000;
const alert = {
  kind: 'group-launches-fail',
  subject: 'group workers',
  sinceMs,
  summary: 'Launches fail',
  text: 'why',
};
const key = 'group-launches-fail/group workers';

const request = (nowMs: number, paged: Readonly<Record<string, number>> = {}) => ({
  cluster: 'demo',
  decision: 'demo/scale-up/7',
  alerts: [alert],
  paged,
  nowMs,
});

describe('pages', () => {
  it('carry the same id for the same occasion, whenever they are sent', async () => {
    const pages = memoryPages();
    await sendPages(pages, request(sinceMs + hour));
    await sendPages(pages, request(sinceMs + 2 * hour));
    expect(pages.sent().map(({ id }) => id)).toEqual(
      Array.from({ length: 2 }, () => `demo/${key}/${sinceMs}`),
    );
  });

  it('are sent once for an occasion, and again each day that it lasts', async () => {
    const pages = memoryPages();
    const { paged } = await sendPages(pages, request(sinceMs));
    expect(paged).toEqual({ [key]: sinceMs });
    expect(await sendPages(pages, request(sinceMs + 23 * hour, paged))).toEqual({ paged });
    expect(pages.sent()).toHaveLength(1);
    await sendPages(pages, request(sinceMs + 24 * hour, paged));
    expect(pages.sent()).toHaveLength(2);
  });

  it('are forgotten with their occasion, so that the next one is paged at once', async () => {
    const over = { ...request(sinceMs, { [key]: sinceMs }), alerts: [] };
    expect(await sendPages(memoryPages(), over)).toEqual({ paged: {} });
  });

  it('that cannot be sent are told, and not noted as sent', async () => {
    const refusing = { send: () => Promise.reject(new PortError('throttled', 'Publish')) };
    expect(await sendPages(refusing, request(sinceMs))).toMatchObject({
      paged: {},
      failure: { code: 'throttled', retryable: true },
    });
  });
});
