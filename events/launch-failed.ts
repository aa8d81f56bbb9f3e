import * as z from 'zod';

/*
 * AWS's word that a launch did not succeed, and our own hint made of it. AWS names the Auto Scaling group
 * and no cluster; `forward-events` finds whose it is.
 */

export const instanceLaunchUnsuccessfulSource = 'aws.autoscaling';
export const instanceLaunchUnsuccessfulDetailType = 'EC2 Instance Launch Unsuccessful';

export const instanceLaunchUnsuccessful = z.object({
  source: z.literal(instanceLaunchUnsuccessfulSource),
  'detail-type': z.literal(instanceLaunchUnsuccessfulDetailType),
  account: z.string().regex(/^\d{12}$/),
  region: z.string().min(1),
  detail: z.object({
    AutoScalingGroupName: z.string().min(1).max(255),
    StatusMessage: z.string().optional(),
  }),
});

/** Events that Outrider itself puts on the custom bus, routed by network like a relay's. */
export const forwardedSource = 'outrider.forwarded';
export const launchFailedDetailType = 'Launch Failed';

export const launchFailedEvent = z.object({
  source: z.literal(forwardedSource),
  'detail-type': z.literal(launchFailedDetailType),
  detail: z.object({
    cluster: z.string().min(1).max(100),
    network: z.string().min(1).max(64),
    group: z.string().min(1).max(255),
  }),
});
export type LaunchFailedEvent = z.infer<typeof launchFailedEvent>;
