import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { awsErrorName } from '#adapters/aws/aws-error.ts';
import { assureCaller } from '#adapters/aws/caller.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import {
  missingVariables,
  readEnvironment,
  journalEnvironmentVariables as variables,
} from '#config/environment.ts';
import type { DecisionRecord, Journal } from '#ports/journal.ts';
import { PortError } from '#ports/port-error.ts';
import { readDeployed } from './deployed-clusters.ts';
import { openMemory } from './memory.ts';
import { clustersAskedFor, findDeployment } from './open-deployment.ts';

/** A deployment's journal, for people. */
export interface OpenJournal extends Pick<Journal, 'list' | 'read'> {
  /** Throws `notFound` where the deployment has no such cluster. */
  assureCluster(cluster: string): Promise<void>;
}

/**
 * The journal of a deployment: of the stack where one is named; else from `OUTRIDER_TABLE` and
 * `OUTRIDER_DECISIONS_BUCKET` where they are set; else of the stack `Outrider`. Region, credentials and endpoint as
 * the AWS SDK finds them. Throws `invalid` or `notFound` with the remedy.
 */
export const openJournal = async (stack?: string): Promise<OpenJournal> => {
  const missing = missingVariables(variables);
  if (stack !== undefined || missing.length === 2) return journalOfStack(stack ?? defaultStack);
  const [lacking] = missing;
  if (lacking === undefined) return journalOfEnvironment();
  const set = Object.values(variables).filter((name) => name !== lacking);
  throw new PortError('invalid', `${set} is set and ${lacking} is not: set both, or neither`);
};

/** The stack of the project's own app. */
export const defaultStack = 'Outrider';

const journalOfStack = async (stack: string): Promise<OpenJournal> => {
  const deployment = await findDeployment(stack);
  return {
    ...openMemory(deployment).journal,
    async assureCluster(cluster) {
      const s3 = new S3Client(clientOptions);
      const { configuration } = await readDeployed(s3, deployment.configuration);
      clustersAskedFor({ deployment, configuration }, cluster);
    },
  };
};

const journalOfEnvironment = async (): Promise<OpenJournal> => {
  await assureCaller(new DynamoDBClient(clientOptions));
  const where = readEnvironment(variables);
  const { journal, leases } = openMemory(where);
  return {
    list: (cluster, limit) => naming(() => journal.list(cluster, limit)),
    read: (id) => naming(() => journal.read(id)),
    async assureCluster(cluster) {
      // Whoever looks at a cluster takes its lease, which is never deleted.
      if ((await leases.read(cluster)) !== undefined) return;
      const said = `nobody has looked at a cluster ${cluster}: name another, or another table`;
      throw new PortError('notFound', `${variables.table} ${where.table}: ${said}`);
    },
  };
};

/** Errors that the variables are to blame for. */
const blamed: Readonly<Record<string, string>> = {
  ResourceNotFoundException: variables.table,
  ValidationException: variables.table,
  NoSuchBucket: variables.decisionsBucket,
  InvalidBucketName: variables.decisionsBucket,
};

const naming = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    const variable = blamed[awsErrorName(error) ?? ''];
    if (variable === undefined || !(error instanceof PortError)) throw error;
    const remedy = `set ${variable} to the stack's output, or unset both variables`;
    throw new PortError('invalid', `${error.message}: ${remedy}`, { cause: error });
  }
};

/** `demo/scale-up/17`. */
const idForm = /^([^/\s]+)\/scale-up\/\d{1,12}$/;

export const isDecisionId = (text: string): boolean => idForm.test(text);

/** One decision of a deployment's journal. Throws `invalid` or `notFound` with the remedy. */
export const readRecord = async (id: string, stack?: string): Promise<DecisionRecord> => {
  const [, cluster] = idForm.exec(id) ?? [];
  if (cluster === undefined) {
    const remedy = 'write it as journal --cluster NAME lists it, such as demo/scale-up/17';
    throw new PortError('invalid', `${JSON.stringify(id)} is no ID of a decision: ${remedy}`);
  }
  const journal = await openJournal(stack);
  try {
    return await journal.read(id);
  } catch (error) {
    if (!(error instanceof PortError) || error.code !== 'notFound') throw error;
    const said =
      awsErrorName(error) === 'NoSuchKey'
        ? `the record of ${id} is no longer kept`
        : `no decision ${id} is journalled`;
    const remedy = `outrider journal --cluster ${cluster} lists those there are`;
    throw new PortError('notFound', `${said}: ${remedy}`, { cause: error });
  }
};
