import type { ScalingActivity } from '#scaling/aws-views.ts';
import type { Random } from './random.ts';
import type { GroupState, LaunchActivity } from './state.ts';

/** As many as one page of DescribeScalingActivities. */
const mostTold = 100;

export interface LaunchPlace {
  readonly zone: string;
  readonly type: string;
}

/** Auto Scaling's own record of the launches that it began. */
export interface LaunchActivities {
  /** A launch that EC2 accepted; under way until the instance is in service. */
  begin(group: GroupState): LaunchActivity;
  /** A launch that EC2 refused. */
  fail(group: GroupState, place: LaunchPlace): void;
}

/** The words in which EC2 refuses; `InsufficientInstanceCapacity` is its code. */
const refusal = (group: GroupState, { zone, type }: LaunchPlace): string => {
  const others = group.spec.zones.filter((other) => other !== zone);
  const choosing = others.length === 0 ? '' : ` or choosing ${others.join(', ')}`;
  return (
    'Could not launch On-Demand Instances. InsufficientInstanceCapacity - We currently do not have ' +
    `sufficient ${type} capacity in the Availability Zone you requested (${zone}). Our system will be ` +
    `working on provisioning additional capacity. You can currently get ${type} capacity by not ` +
    `specifying an Availability Zone in your request${choosing}. Launching EC2 instance failed.`
  );
};

export const createLaunchActivities = (random: Random, nowMs: () => number): LaunchActivities => {
  const record = (group: GroupState, what: Pick<LaunchActivity, 'status' | 'message'>) => {
    const id = [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-');
    const activity: LaunchActivity = { id, group: group.spec.name, startMs: nowMs(), ...what };
    group.activities.push(activity);
    return activity;
  };
  return {
    begin: (group) => record(group, { status: 'underWay' }),
    fail: (group, place) => {
      record(group, { status: 'failed', message: refusal(group, place) });
    },
  };
};

/** Newest first, as many as AWS tells in one answer. */
export const newestLaunches = (group: GroupState): readonly ScalingActivity[] =>
  group.activities
    .slice(-mostTold)
    .reverse()
    .map((activity) => ({ ...activity }));
