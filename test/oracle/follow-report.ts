import type { Outcome } from './follow.ts';

export interface FollowSum {
  readonly cases: number;
  /** Cases in which no pod was left. */
  readonly followed: number;
  readonly planned: number;
  readonly left: number;
  /** Of all new nodes, in millionths of a dollar per hour. */
  readonly priceMicro: number;
  readonly priceWithoutMicro: number;
}

const total = (outcomes: readonly Outcome[], amount: (one: Outcome) => number): number =>
  outcomes.reduce((sum, one) => sum + amount(one), 0);

export const sumOf = (outcomes: readonly Outcome[]): FollowSum => ({
  cases: outcomes.length,
  followed: outcomes.filter(({ left }) => left.length === 0).length,
  planned: total(outcomes, ({ planned }) => planned),
  left: total(outcomes, ({ left }) => left.length),
  priceMicro: total(outcomes, ({ priceMicro }) => priceMicro),
  priceWithoutMicro: total(outcomes, ({ priceWithoutMicro }) => priceWithoutMicro),
});

const dollars = (micro: number): string => (micro / 1_000_000).toFixed(3);

export function followText(sum: FollowSum): readonly string[] {
  const { cases, followed, planned, left, priceMicro, priceWithoutMicro } = sum;
  const more = priceWithoutMicro === 0 ? 0 : (priceMicro / priceWithoutMicro - 1) * 100;
  return [
    `${followed} of ${cases} plans were followed to the last pod; ${left} of ${planned} pods were left Pending`,
    `the new nodes cost ${dollars(priceMicro)} $/h; planned without the replay ${dollars(priceWithoutMicro)} $/h (${more.toFixed(1)} % more for the certainty)`,
  ];
}
