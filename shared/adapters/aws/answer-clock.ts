/** A client whose raw answers can be looked at. */
interface Observed {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<{ readonly response: unknown }>,
      ) => (args: never) => Promise<never>,
      options: { readonly step: 'deserialize'; readonly name: string; readonly priority: 'low' },
    ): void;
  };
}

/**
 * Keeps, of a client's last answer, by how many milliseconds the clock of the other side is ahead of ours
 * (from its `Date` header, which is exact to a second).
 */
export const watchAnswerClock = (
  client: object,
  nowMs: () => number = Date.now,
): { readonly aheadMs: () => number | undefined } => {
  let ahead: number | undefined;
  (client as Observed).middlewareStack.add(
    (next) => async (args) => {
      const askedMs = nowMs();
      const result = await next(args);
      const { headers } = result.response as { readonly headers?: Record<string, string> };
      ahead = clockAheadMs(headers?.date, { askedMs, answeredMs: nowMs() }) ?? ahead;
      return result as never;
    },
    { step: 'deserialize', name: 'outriderAnswerClock', priority: 'low' },
  );
  return { aheadMs: () => ahead };
};

/**
 * By how much the writer of a `Date` header is ahead; 0 while the header's second and the time of the exchange
 * overlap, `undefined` where there is no such header.
 */
export const clockAheadMs = (
  date: string | undefined,
  exchange: { readonly askedMs: number; readonly answeredMs: number },
): number | undefined => {
  const second = Date.parse(date ?? '');
  if (Number.isNaN(second)) return undefined;
  if (second > exchange.answeredMs) return second - exchange.answeredMs;
  return second + 1000 < exchange.askedMs ? second + 1000 - exchange.askedMs : 0;
};
