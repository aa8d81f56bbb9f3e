import { maxScore, type PassedNodes } from './score-plugin.ts';

/** As a share of the largest, rounded down; nothing changes where all are 0. */
export function toShareOfLargest(raws: Float64Array, { count }: PassedNodes): void {
  const largest = largestOf(raws, count);
  if (largest === 0) return;
  for (let at = 0; at < count; at += 1) {
    raws[at] = Math.floor((maxScore * (raws[at] ?? 0)) / largest);
  }
}

/** The other way round: the largest gets 0, and where all are 0 each gets the full score. */
export function toReverseOfLargest(raws: Float64Array, { count }: PassedNodes): void {
  const largest = largestOf(raws, count);
  for (let at = 0; at < count; at += 1) {
    const share = largest === 0 ? 0 : Math.floor((maxScore * (raws[at] ?? 0)) / largest);
    raws[at] = maxScore - share;
  }
}

/** By the place between the least and the most; 0 where there is no difference. */
export function toPlaceInRange(raws: Float64Array, { count }: PassedNodes): void {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at += 1) {
    const raw = raws[at] ?? 0;
    if (raw < least) least = raw;
    if (raw > most) most = raw;
  }
  const range = most - least;
  for (let at = 0; at < count; at += 1) {
    raws[at] = range > 0 ? Math.trunc(maxScore * (((raws[at] ?? 0) - least) / range)) : 0;
  }
}

function largestOf(raws: Float64Array, count: number): number {
  let largest = 0;
  for (let at = 0; at < count; at += 1) {
    const raw = raws[at] ?? 0;
    if (raw > largest) largest = raw;
  }
  return largest;
}
