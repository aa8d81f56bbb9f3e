import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { describeLaunches } from '#adapters/aws/auto-scaling-launches.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

const activity = (id: string, more: object = {}) => ({
  ActivityId: id,
  AutoScalingGroupName: 'workers',
  Description: `Launching a new EC2 instance: i-${id}`,
  StartTime: new Date(1_700_000_000_000),
  StatusCode: 'Successful',
  ...more,
});

const ask = (...activities: object[]) => {
  const { client, inputs } = clientOf(() => ({ Activities: activities, NextToken: 'more' }));
  const launches = describeLaunches(
    client as unknown as AutoScalingClient,
    'workers',
    () => 1_700_000_900_000,
  );
  return { launches, inputs };
};

const noCapacity =
  'Could not launch Spot Instances. UnfulfillableCapacity - Unable to fulfill capacity due to your request configuration. Please adjust your request and try again. Launching EC2 instance failed.';

describe('launches of a group', () => {
  it('are the launches among its hundred newest activities, by one call', async () => {
    const { launches, inputs } = ask(
      activity('old'),
      activity('gone', { Description: 'Terminating EC2 instance: i-gone' }),
      activity('new', {
        StartTime: new Date(1_700_000_060_000),
        StatusCode: 'Failed',
        StatusMessage: noCapacity,
        Description: `Launching a new EC2 instance.  Status Reason: ${noCapacity}`,
      }),
    );
    expect(await launches).toEqual([
      {
        id: 'new',
        group: 'workers',
        startMs: 1_700_000_060_000,
        status: 'failed',
        message: noCapacity,
      },
      { id: 'old', group: 'workers', startMs: 1_700_000_000_000, status: 'succeeded' },
    ]);
    expect(inputs).toEqual([{ AutoScalingGroupName: 'workers', MaxRecords: 100 }]);
  });

  it.each([
    ['Successful', 'succeeded'],
    ['Failed', 'failed'],
    ['Cancelled', 'failed'],
    ['InProgress', 'underWay'],
    ['WaitingForSpotInstanceId', 'underWay'],
    ['MidLifecycleAction', 'underWay'],
  ])('with status %s count as %s', async (StatusCode, status) => {
    expect(await ask(activity('1', { StatusCode })).launches).toMatchObject([{ status }]);
  });

  // Known fault 73: throttling taken for a capacity failure ends with every group backed off.
  it.each([
    'Request limit exceeded. Launching EC2 instance failed.',
    'RequestLimitExceeded: Request limit exceeded.',
    'Rate exceeded',
    'An internal error has occurred. Launching EC2 instance failed.',
    'Could not launch On-Demand Instances. InternalError - try later',
  ])('have not failed where AWS was throttled or broken: %s', async (StatusMessage) => {
    const { launches } = ask(activity('1', { StatusCode: 'Failed', StatusMessage }));
    expect(await launches).toMatchObject([{ status: 'underWay', message: StatusMessage }]);
  });

  it('have failed where the instance could not start for its key', async () => {
    const StatusMessage =
      'Instance became unhealthy while waiting for instance to be in InService state. Termination Reason: Client.InternalError: Client error on launch';
    const { launches } = ask(activity('1', { StatusCode: 'Cancelled', StatusMessage }));
    expect(await launches).toMatchObject([{ status: 'failed' }]);
  });

  it('tell when they ended: what fails late did not fail when it began', async () => {
    const late = activity('1', { StatusCode: 'Failed', EndTime: new Date(1_700_000_300_000) });
    expect(await ask(late).launches).toMatchObject([
      { startMs: 1_700_000_000_000, endMs: 1_700_000_300_000 },
    ]);
  });

  it('began when they ended where AWS says only that, and now where it says neither', async () => {
    const { StartTime: _, ...timeless } = activity('1', { StatusCode: 'Failed' });
    const launches = await ask({ ...timeless, EndTime: new Date(1_700_000_300_000) }, timeless)
      .launches;
    expect(launches.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [1_700_000_900_000, undefined],
      [1_700_000_300_000, 1_700_000_300_000],
    ]);
  });

  it('keep what AWS says within bounds', async () => {
    const { launches } = ask(
      activity('1', { StatusCode: 'Failed', StatusMessage: 'ü'.repeat(9_000) }),
    );
    const [launch] = await launches;
    expect(Buffer.byteLength(launch?.message ?? '')).toBeLessThanOrEqual(1_000);
  });

  it('are none where the group is gone, and unknown where AWS does not answer', async () => {
    const gone = clientOf(() =>
      refuse('ValidationError', 400, "AutoScalingGroup name not found - 'workers' not found"),
    );
    expect(await describeLaunches(gone.client as unknown as AutoScalingClient, 'workers')).toEqual(
      [],
    );
    const throttled = clientOf(() => refuse('Throttling', 400));
    await expect(
      describeLaunches(throttled.client as unknown as AutoScalingClient, 'workers'),
    ).rejects.toMatchObject({ code: 'throttled', retryable: true });
  });
});
