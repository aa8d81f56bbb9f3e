import { getOwn, setOwn } from '#cluster/own-record.ts';
import type { Pages } from '#ports/pages.ts';
import type { Alert } from '#scaling/decision.ts';
import { type Failure, failureOf } from './failure.ts';

export type Paged = Readonly<Record<string, number>>;

export interface PageRequest {
  readonly cluster: string;
  readonly decision: string;
  readonly alerts: readonly Alert[];
  /** Alerts paged before, by `kind/subject`: when. */
  readonly paged: Paged;
  readonly nowMs: number;
}

export interface Paging {
  /** The alerts that hold and were paged. */
  readonly paged: Paged;
  /** The first page that could not be sent: the next look sends it. */
  readonly failure?: Failure;
}

/** An occasion that lasts is paged again after so long. */
const repeatMs = 24 * 3_600_000;

/**
 * Pages each alert once per occasion. The page goes out before it is noted: a look that dies in between
 * sends it twice, under the same id, and never not at all.
 */
export const sendPages = async (pages: Pages, request: PageRequest): Promise<Paging> => {
  const { cluster, decision, nowMs } = request;
  const paged: Record<string, number> = {};
  let failure: Failure | undefined;
  for (const { kind, subject, sinceMs, summary, text } of request.alerts) {
    const key = `${kind}/${subject}`;
    const before = getOwn(request.paged, key);
    if (before !== undefined && nowMs - before < repeatMs) {
      setOwn(paged, key, before);
      continue;
    }
    const id = `${cluster}/${kind}/${subject}/${sinceMs}`;
    try {
      await pages.send({ id, cluster, kind, subject, atMs: nowMs, summary, text, decision });
      setOwn(paged, key, nowMs);
    } catch (thrown) {
      failure ??= failureOf(thrown);
    }
  }
  return { paged, ...(failure === undefined ? {} : { failure }) };
};
