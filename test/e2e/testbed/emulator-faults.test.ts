import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AutoScalingClient,
  CompleteLifecycleActionCommand,
  DescribeAutoScalingInstancesCommand,
  DescribeScalingActivitiesCommand,
  PutLifecycleHookCommand,
  SetDesiredCapacityCommand,
  SetInstanceProtectionCommand,
} from '@aws-sdk/client-auto-scaling';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateTopicCommand,
  PublishCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { eventually } from '../../testbed/eventually.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import '../../helpers/own-temporary-folder.ts';

describe.skipIf(await withoutTestbed())('the test bed’s AWS under faults', () => {
  let emulator: AwsEmulator;
  let autoScaling: AutoScalingClient;
  let sqs: SQSClient;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outrider-emulator-'));
    emulator = await startAwsEmulator({ folder, progress: () => undefined });
    autoScaling = new AutoScalingClient({ ...emulator.clientConfig, maxAttempts: 1 });
    sqs = new SQSClient(emulator.clientConfig);
  });
  beforeEach(async () => {
    await emulator.control.reset();
  });
  afterAll(async () => {
    autoScaling?.destroy();
    sqs?.destroy();
    await emulator?.stop();
  });

  const group = (name: string, more: { max?: number; desired?: number } = {}) =>
    makeNodeGroup(emulator, { name, cluster: 'c', instanceType: 'm5.large', max: 5, ...more });
  const setDesired = (name: string, desired: number) =>
    autoScaling.send(
      new SetDesiredCapacityCommand({ AutoScalingGroupName: name, DesiredCapacity: desired }),
    );
  const instancesOf = async (name: string) =>
    (await emulator.control.groups()).find((each) => each.name === name)?.instances ?? [];
  const activitiesOf = async (name: string) =>
    (
      await autoScaling.send(
        new DescribeScalingActivitiesCommand({ AutoScalingGroupName: name, MaxRecords: 100 }),
      )
    ).Activities ?? [];
  const makeQueue = async (name: string): Promise<{ url: string; arn: string }> => {
    const arn = `arn:aws:sqs:us-east-1:000000000000:${name}`;
    const Policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage', Resource: arn }],
    });
    const made = await sqs.send(
      new CreateQueueCommand({ QueueName: name, Attributes: { Policy } }),
    );
    return { url: made.QueueUrl ?? '', arn };
  };
  const receive = async (url: string, seconds = 0) =>
    (
      await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          VisibilityTimeout: 60,
          WaitTimeSeconds: seconds,
        }),
      )
    ).Messages?.[0];

  it('tells a launch that EC2 refused as AWS does: activity and event on the default bus', async () => {
    const events = new EventBridgeClient(emulator.clientConfig);
    const queue = await makeQueue('launches');
    const EventPattern = JSON.stringify({ 'detail-type': ['EC2 Instance Launch Unsuccessful'] });
    await events.send(new PutRuleCommand({ Name: 'launches', EventPattern }));
    await events.send(
      new PutTargetsCommand({ Rule: 'launches', Targets: [{ Id: 'q', Arn: queue.arn }] }),
    );
    events.destroy();
    await group('g');
    await emulator.control.inject({
      service: 'autoscaling',
      action: 'Launch',
      code: 'InsufficientInstanceCapacity',
      group: 'g',
    });
    await setDesired('g', 1);
    const [failed] = await activitiesOf('g');
    const why =
      'Could not launch On-Demand Instances. InsufficientInstanceCapacity - We currently do not have sufficient m5.large capacity in the Availability Zone you requested (us-east-1a). Our system will be working on provisioning additional capacity. Launching EC2 instance failed.';
    expect(failed).toMatchObject({
      StatusCode: 'Failed',
      StatusMessage: why,
      Description: `Launching a new EC2 instance.  Status Reason: ${why}`,
      Progress: 100,
    });
    const told = await eventually('the event', () => receive(queue.url, 1));
    expect(JSON.parse(told.Body ?? '')).toMatchObject({
      source: 'aws.autoscaling',
      account: '000000000000',
      region: 'us-east-1',
      resources: [
        expect.stringMatching(
          /^arn:aws:autoscaling:us-east-1:000000000000:.*:autoScalingGroupName\/g$/,
        ),
      ],
      detail: {
        StatusCode: 'Failed',
        AutoScalingGroupName: 'g',
        ActivityId: failed?.ActivityId,
        StatusMessage: why,
        EC2InstanceId: '',
        Details: { 'Availability Zone': 'us-east-1a', 'Subnet ID': expect.any(String) },
        Origin: 'EC2',
        Destination: 'AutoScalingGroup',
      },
    });
    await eventually('the second try', async () => (await instancesOf('g'))[0]);
    const statuses = (await activitiesOf('g')).map(({ StatusCode }) => StatusCode);
    expect(statuses).toEqual(['Successful', 'Failed']);
  });

  it('keeps a launch that waits for its hook under way, and cancels one that is abandoned', async () => {
    await group('g');
    await autoScaling.send(
      new PutLifecycleHookCommand({
        AutoScalingGroupName: 'g',
        LifecycleHookName: 'ready',
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      }),
    );
    await setDesired('g', 1);
    expect((await activitiesOf('g'))[0]).toMatchObject({ StatusCode: 'MidLifecycleAction' });
    const [first] = await instancesOf('g');
    await autoScaling.send(
      new CompleteLifecycleActionCommand({
        AutoScalingGroupName: 'g',
        LifecycleHookName: 'ready',
        LifecycleActionResult: 'ABANDON',
        InstanceId: first?.id,
      }),
    );
    const launches = (await activitiesOf('g')).filter(({ Description = '' }) =>
      Description.startsWith('Launching'),
    );
    expect(launches.map(({ StatusCode }) => StatusCode)).toEqual([
      'MidLifecycleAction',
      'Cancelled',
    ]);
    expect(launches[1]?.StatusMessage).toContain('was abandoned');
  });

  it('takes back only what is not protected when the desired capacity is lowered', async () => {
    await group('g', { desired: 3 });
    const [free, ...kept] = (await instancesOf('g')).map(({ id }) => id);
    await autoScaling.send(
      new SetInstanceProtectionCommand({
        AutoScalingGroupName: 'g',
        InstanceIds: [free ?? ''],
        ProtectedFromScaleIn: false,
      }),
    );
    await setDesired('g', 0);
    expect((await instancesOf('g')).map(({ id }) => id)).toEqual(kept);
  });

  it('says which group has an instance, for at most 50 at once', async () => {
    await group('a', { desired: 1 });
    await group('b', { desired: 2 });
    const ids = (await instancesOf('b')).map(({ id }) => id);
    const ask = (InstanceIds: string[]) =>
      autoScaling.send(new DescribeAutoScalingInstancesCommand({ InstanceIds }));
    const { AutoScalingInstances = [] } = await ask([...ids, 'i-00000000000000000']);
    expect(AutoScalingInstances.map((each) => each.AutoScalingGroupName)).toEqual(['b', 'b']);
    const many = Array.from({ length: 51 }, () => ids[0] ?? '');
    await expect(ask(many)).rejects.toMatchObject({ name: 'ValidationError' });
  });

  it('answers an error after the effect, so that its caller cannot know', async () => {
    await group('g');
    await emulator.control.inject({
      service: 'autoscaling',
      action: 'SetDesiredCapacity',
      code: 'RequestTimeout',
      status: 408,
      afterEffect: true,
    });
    await expect(setDesired('g', 1)).rejects.toMatchObject({ name: 'RequestTimeout' });
    expect(await instancesOf('g')).toHaveLength(1);
  });

  it('lets calls pass before a fault, and names the resource it is meant for', async () => {
    await group('a');
    await group('b');
    const fault = { service: 'autoscaling', action: 'SetDesiredCapacity' };
    await emulator.control.inject({ ...fault, code: 'AccessDenied', resource: 'Name=a', skip: 1 });
    await setDesired('b', 1);
    await setDesired('a', 1);
    await setDesired('b', 2);
    await expect(setDesired('a', 2)).rejects.toMatchObject({
      name: 'AccessDenied',
      $metadata: { httpStatusCode: 403 },
    });
    await setDesired('a', 2);
  });

  it('lets a caller wait longer than it will', async () => {
    await group('g');
    const hasty = new AutoScalingClient({
      ...emulator.clientConfig,
      maxAttempts: 1,
      requestHandler: { requestTimeout: 200, throwOnRequestTimeout: true },
    });
    const fault = { service: 'autoscaling', action: 'SetDesiredCapacity' };
    await emulator.control.inject({ ...fault, delayMs: 1_000 });
    const raise = { AutoScalingGroupName: 'g', DesiredCapacity: 1 };
    await expect(hasty.send(new SetDesiredCapacityCommand(raise))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    hasty.destroy();
    expect(await instancesOf('g')).toHaveLength(1);
  });

  it('hands what a topic is told to the queue that subscribed, by message attribute', async () => {
    const sns = new SNSClient(emulator.clientConfig);
    const queue = await makeQueue('pages');
    const { TopicArn } = await sns.send(new CreateTopicCommand({ Name: 'pages' }));
    await sns.send(
      new SubscribeCommand({
        TopicArn,
        Protocol: 'sqs',
        Endpoint: queue.arn,
        Attributes: { FilterPolicy: JSON.stringify({ cluster: ['mine'] }) },
      }),
    );
    for (const cluster of ['other', 'mine']) {
      await sns.send(
        new PublishCommand({
          TopicArn,
          MessageStructure: 'json',
          Message: JSON.stringify({ default: 'text', sqs: `for ${cluster}` }),
          MessageAttributes: { cluster: { DataType: 'String', StringValue: cluster } },
        }),
      );
    }
    sns.destroy();
    const got = await eventually('the page', () => receive(queue.url, 1));
    expect(JSON.parse(got.Body ?? '')).toMatchObject({ Type: 'Notification', Message: 'for mine' });
    expect(await receive(queue.url)).toBeUndefined();
  });

  it('holds a message back for its delay, and hides it for as long as it is told to', async () => {
    const { url } = await makeQueue('later');
    await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'm', DelaySeconds: 1 }));
    expect(await receive(url)).toBeUndefined();
    const got = await eventually('the message', () => receive(url, 1));
    expect(await receive(url)).toBeUndefined();
    const { ReceiptHandle } = got;
    await sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout: 0 }),
    );
    expect(await receive(url)).toMatchObject({ Body: 'm' });
  });
});
