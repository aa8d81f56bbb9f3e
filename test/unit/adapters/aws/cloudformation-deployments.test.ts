import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from 'vitest';
import { cloudformationDeployments } from '#adapters/aws/cloudformation-deployments.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

const outputs = {
  EventBusName: 'bus',
  TableName: 'table',
  DecisionsBucketName: 'bucket',
  ConfigurationBucket: 'assets',
  ConfigurationKey: 'key.json',
  PagesTopicArn: 'arn:pages',
  ForwardQueueUrl: 'https://forward',
  ForwardDeadLetterQueueUrl: 'https://forward-dead',
  NetworkmyvpcQueueUrl: 'https://queue',
  NetworkmyvpcDeadLetterQueueUrl: 'https://dead',
  NetworkmyvpcFunctionName: 'function',
};

const deployments = (found: Readonly<Record<string, string>>) => {
  const Outputs = Object.entries(found).map(([OutputKey, OutputValue]) => ({
    OutputKey,
    OutputValue,
  }));
  const { client } = clientOf(() => ({ Stacks: [{ StackStatus: 'UPDATE_COMPLETE', Outputs }] }));
  return cloudformationDeployments(client as unknown as CloudFormationClient);
};

describe('a deployment', () => {
  it("is found by its stack's outputs", async () => {
    expect(await deployments(outputs).find('Outrider')).toEqual({
      stack: 'Outrider',
      status: 'UPDATE_COMPLETE',
      region: 'eu-central-1',
      table: 'table',
      decisionsBucket: 'bucket',
      eventBus: 'bus',
      configuration: { bucket: 'assets', key: 'key.json' },
      pagesTopicArn: 'arn:pages',
      forwarding: { queueUrl: 'https://forward', deadLetterQueueUrl: 'https://forward-dead' },
      networks: [
        {
          key: 'myvpc',
          queueUrl: 'https://queue',
          deadLetterQueueUrl: 'https://dead',
          functionName: 'function',
        },
      ],
    });
  });

  it.each(Object.keys(outputs).filter((name) => name !== 'NetworkmyvpcDeadLetterQueueUrl'))(
    'that lacks the output %s is told what it is and what to do',
    async (name) => {
      const lacking = Object.fromEntries(Object.entries(outputs).filter(([key]) => key !== name));
      await expect(deployments(lacking).find('Other')).rejects.toMatchObject({
        code: 'invalid',
        message: `stack Other has no output ${name}: name Outrider's stack with --stack, or deploy this version first`,
      });
    },
  );

  it('that is not there is looked for elsewhere', async () => {
    const { client } = clientOf(() =>
      refuse('ValidationError', 400, 'Stack with id Other does not exist'),
    );
    const found = cloudformationDeployments(client as unknown as CloudFormationClient);
    await expect(found.find('Other')).rejects.toMatchObject({
      code: 'notFound',
      message: expect.stringMatching(/no stack Other in eu-central-1: name it with --stack/),
    });
  });

  it('that may not be asked for says so', async () => {
    const { client } = clientOf(() => refuse('AccessDenied', 403));
    const found = cloudformationDeployments(client as unknown as CloudFormationClient);
    await expect(found.find('Outrider')).rejects.toMatchObject({ code: 'forbidden' });
  });
});
