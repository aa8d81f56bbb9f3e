import { forwardedSource, launchFailedDetailType } from '#events/launch-failed.ts';
import { type LookEvent, lookDetailType, lookSource } from '#events/look.ts';
import type { Wakeup } from '#ports/wakeups.ts';

/** A wake-up as the message that its receiver reads. */
export const lookEventOf = ({ cluster, because, step }: Wakeup): LookEvent => ({
  source: lookSource,
  'detail-type': lookDetailType,
  detail: { cluster, because, step },
});

/** As what a failed launch is told on the bus. */
export const launchFailedHint = { source: forwardedSource, detailType: launchFailedDetailType };
