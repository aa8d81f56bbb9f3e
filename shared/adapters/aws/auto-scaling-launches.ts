import {
  type Activity,
  type AutoScalingClient,
  DescribeScalingActivitiesCommand,
} from '@aws-sdk/client-auto-scaling';
import { cutBytes } from '#adapters/cut-bytes.ts';
import { PortError } from '#ports/port-error.ts';
import type { ScalingActivity } from '#scaling/aws-views.ts';
import { calling } from './aws-error.ts';

/** The most that one DescribeScalingActivities call answers. */
const pageSize = 100;

/** An activity names what it does only in its description. */
const launching = 'Launching a new EC2 instance';

const mostMessageBytes = 1_000;

/**
 * The launches among a group's hundred newest activities, newest first, by one call. A group that is gone has none.
 * A launch that was cancelled (its lifecycle hook was abandoned, say) has failed.
 * Source: "Activity", Amazon EC2 Auto Scaling API reference.
 */
export async function describeLaunches(
  client: AutoScalingClient,
  group: string,
  nowMs: () => number = Date.now,
): Promise<readonly ScalingActivity[]> {
  const command = new DescribeScalingActivitiesCommand({
    AutoScalingGroupName: group,
    MaxRecords: pageSize,
  });
  try {
    const answer = await calling(`DescribeScalingActivities (${group})`, () =>
      client.send(command),
    );
    return (answer.Activities ?? [])
      .filter(({ Description = '' }) => Description.startsWith(launching))
      .map((activity) => readLaunch(activity, { group, nowMs: nowMs() }))
      .toSorted((a, b) => b.startMs - a.startMs);
  } catch (error) {
    if (error instanceof PortError && error.code === 'notFound') return [];
    throw error;
  }
}

/** One whose time AWS does not tell counts as of this look: a failure in 1970 would be one long forgotten. */
function readLaunch(
  activity: Activity,
  { group, nowMs }: { readonly group: string; readonly nowMs: number },
): ScalingActivity {
  const endMs = activity.EndTime?.getTime();
  const words = cutBytes(activity.StatusMessage ?? '', mostMessageBytes);
  return {
    id: activity.ActivityId ?? '',
    group,
    startMs: activity.StartTime?.getTime() ?? endMs ?? nowMs,
    ...(endMs === undefined ? {} : { endMs }),
    status: statusOf(activity.StatusCode, words),
    ...(words === '' ? {} : { message: words }),
  };
}

function statusOf(code: string | undefined, words: string): ScalingActivity['status'] {
  if (code === 'Successful') return 'succeeded';
  if (code !== 'Failed' && code !== 'Cancelled') return 'underWay';
  // Auto Scaling itself was throttled by EC2 or met an error of AWS's: it says nothing of the group's
  // capacity, and Auto Scaling tries again.
  return isTrouble.test(words) ? 'underWay' : 'failed';
}

/** `Client.InternalError` is another thing: an encrypted volume whose key the group may not use. */
const isTrouble =
  /\b(RequestLimitExceeded|Request limit exceeded|Throttling(Exception)?|Rate exceeded|(?<!Client\.)InternalError|InternalFailure|An internal error|ServiceUnavailable|Service is unavailable)\b/i;
