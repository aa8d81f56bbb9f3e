import { otherAccount, places } from './drive-outrider.ts';

const byLambda =
  'Lambda itself does it with the function’s role; the emulator writes its logs inside.';
const byPoller =
  'Lambda’s poller does it with the function’s role; the emulator’s reads the queue inside.';
const bySns = 'SNS asks the key for it on behalf of whoever publishes; the emulator does not.';
const byEventBridge =
  'EventBridge puts it with this role; the emulator’s rules end in one account.';
const byRequirements =
  'It is asked for groups whose types are chosen by attributes; the run has none.';
const byPrices = 'It is asked where an expander goes by price; the run has none that does.';
const byExporter = 'An event exporter sends it under the same grant; only a relay runs here.';

/** What of a role's permissions a run on the test bed cannot use, each with the reason, and what is not plain in them. */
export interface Expected {
  /** Part of the role's name. */
  readonly place: string;
  readonly notSeen: readonly (readonly [RegExp, string])[];
  /** Every permission that is no plain action on one named resource, as it reads. */
  readonly loose: readonly RegExp[];
}

const lambda: Expected['notSeen'] = [
  [/^logs:CreateLogStream on arn:aws:logs:\S+:log-group:\S+/, byLambda],
  [/^logs:PutLogEvents on arn:aws:logs:\S+:log-group:\S+/, byLambda],
  [/^sqs:ReceiveMessage on \S+Queue\S+$/, byPoller],
  [/^sqs:DeleteMessage on \S+Queue\S+$/, byPoller],
  [/^sqs:GetQueueAttributes on \S+Queue\S+$/, byPoller],
];

const ofRequirements: Expected['notSeen'] = [
  [/^ec2:DescribeImages on \*$/, byRequirements],
  [/^ec2:GetInstanceTypesFromInstanceRequirements on \*$/, byRequirements],
];

const ofSpotPrices: Expected['notSeen'] = [[/^ec2:DescribeSpotPriceHistory on \*$/, byPrices]];
const ofPrices: Expected['notSeen'] = [...ofSpotPrices, [/^pricing:GetProducts on \*$/, byPrices]];

/** None of these has resources that a policy could name. */
const readsOf = (...actions: readonly string[]): readonly RegExp[] =>
  actions.map((action) => new RegExp(`^${action} on \\*$`));
const nodeGroupReads = readsOf(
  'autoscaling:DescribeAutoScalingGroups',
  'autoscaling:DescribeAutoScalingInstances',
  'autoscaling:DescribeScalingActivities',
  'ec2:DescribeImages',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeLaunchTemplateVersions',
  'ec2:DescribeSpotPriceHistory',
  'ec2:GetInstanceTypesFromInstanceRequirements',
);
/** Groups are found by tag while running, so that the tags are the condition. */
const raisesOf = (account: string, cluster: string): RegExp => {
  const tag = 'Null autoscaling:ResourceTag/k8s.io/cluster-autoscaler';
  return new RegExp(
    `^autoscaling:SetDesiredCapacity on arn:aws:autoscaling:us-east-1:${account}:autoScalingGroup:\\*:autoScalingGroupName/\\* if ${tag}/enabled = false and ${tag}/${cluster} = false$`,
  );
};
const putsOf = (source: string, detailTypes: string): RegExp =>
  new RegExp(
    `^events:PutEvents on arn:aws:events:us-east-1:000000000000:event-bus/outrider if ForAllValues:StringEquals events:source = ${source} and ForAllValues:StringEquals events:detail-type = ${detailTypes} and Null events:source = false and Null events:detail-type = false$`,
  );

/** Every role of a deployment, and of another account that it reaches. */
export const expected: readonly Expected[] = [
  {
    place: places.scaleUp,
    notSeen: [
      ...lambda,
      ...ofRequirements,
      ...ofPrices,
      [/^kms:GenerateDataKey on arn:aws:kms:\S+/, bySns],
      [/^kms:Decrypt on arn:aws:kms:\S+/, bySns],
    ],
    loose: [
      ...nodeGroupReads,
      ...readsOf('pricing:GetProducts'),
      raisesOf('000000000000', 'demo'),
      /^s3:PutObject on arn:aws:s3:::\S+\/decisions\/\*$/,
      // Secrets Manager ends each ARN with six characters of its own.
      /^secretsmanager:GetSecretValue on \S+:secret:outrider\/demo-\?{6}$/,
      /^secretsmanager:GetSecretValue on \S+:secret:outrider\/far-\?{6}$/,
      /^logs:CreateLogStream on \S+:\*$/,
      /^logs:PutLogEvents on \S+:\*$/,
    ],
  },
  {
    place: places.forward,
    notSeen: lambda,
    loose: [
      ...readsOf('autoscaling:DescribeAutoScalingGroups'),
      putsOf('outrider.forwarded', 'Launch Failed'),
      /^logs:CreateLogStream on \S+:\*$/,
      /^logs:PutLogEvents on \S+:\*$/,
    ],
  },
  {
    place: places.otherAccount,
    notSeen: [...ofRequirements, ...ofSpotPrices],
    loose: [...nodeGroupReads, raisesOf(otherAccount, 'far')],
  },
  {
    place: 'LaunchUnsuccessful',
    notSeen: [
      [
        /^events:PutEvents on arn:aws:events:us-east-1:000000000000:event-bus\/default$/,
        byEventBridge,
      ],
    ],
    loose: [],
  },
  {
    place: places.relay,
    notSeen: [[/^events:PutEvents: events:detail-type = Kubernetes Event$/, byExporter]],
    loose: [
      putsOf('outrider.cluster.demo', 'Pod Pending\\|Node Signal\\|Heartbeat\\|Kubernetes Event'),
    ],
  },
];
