import {
  type CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import type { DeployedNetwork, Deployment, Deployments } from '#ports/deployments.ts';
import { PortError } from '#ports/port-error.ts';
import { calling } from './aws-error.ts';

type Outputs = ReadonlyMap<string, string>;

/** A deployment by the outputs of its CloudFormation stack. */
export const cloudformationDeployments = (client: CloudFormationClient): Deployments => ({
  async find(stack): Promise<Deployment> {
    const region = await client.config.region();
    const found = await describe(client, stack, region);
    const outputs: Outputs = new Map(
      (found.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
    const needed = neededOf(stack, outputs);
    return {
      stack,
      status: found.StackStatus ?? 'UNKNOWN',
      region,
      table: needed('TableName'),
      decisionsBucket: needed('DecisionsBucketName'),
      eventBus: needed('EventBusName'),
      configuration: { bucket: needed('ConfigurationBucket'), key: needed('ConfigurationKey') },
      pagesTopicArn: needed('PagesTopicArn'),
      networks: networksOf(outputs, needed),
      forwarding: {
        queueUrl: needed('ForwardQueueUrl'),
        deadLetterQueueUrl: needed('ForwardDeadLetterQueueUrl'),
      },
    };
  },
});

const describe = async (
  client: CloudFormationClient,
  stack: string,
  region: string,
): Promise<Stack> => {
  try {
    const answer = await calling(`DescribeStacks (${stack})`, () =>
      client.send(new DescribeStacksCommand({ StackName: stack })),
    );
    const [found] = answer.Stacks ?? [];
    if (found !== undefined) return found;
  } catch (error) {
    if (!(error instanceof PortError)) throw error;
    if (error.code === 'unavailable' || error.code === 'timeout') {
      const remedy = `see whether AWS can be reached from here, and whether AWS_REGION ${region} is right`;
      throw new PortError(error.code, `${error.message}: ${remedy}`, { cause: error.cause });
    }
    if (error.code !== 'notFound') throw error;
  }
  throw new PortError(
    'notFound',
    `there is no stack ${stack} in ${region}: name it with --stack, its region with AWS_REGION and its account with AWS_PROFILE`,
  );
};

const neededOf =
  (stack: string, outputs: Outputs) =>
  (name: string): string => {
    const value = outputs.get(name);
    if (value !== undefined && value !== '') return value;
    throw new PortError(
      'invalid',
      `stack ${stack} has no output ${name}: name Outrider's stack with --stack, or deploy this version first`,
    );
  };

const deadLetterOutput = /^Network(.+)DeadLetterQueueUrl$/;

/** Output names lose the hyphens of `Network-<name>-QueueUrl`. */
const networksOf = (
  outputs: Outputs,
  needed: (name: string) => string,
): readonly DeployedNetwork[] =>
  [...outputs.keys()]
    .flatMap((name) => deadLetterOutput.exec(name)?.[1] ?? [])
    .sort()
    .map((key) => ({
      key,
      queueUrl: needed(`Network${key}QueueUrl`),
      deadLetterQueueUrl: needed(`Network${key}DeadLetterQueueUrl`),
      functionName: needed(`Network${key}FunctionName`),
    }));
