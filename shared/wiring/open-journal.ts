import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { assureCaller } from '#adapters/aws/caller.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import {
  journalEnvironmentVariables,
  missingVariables,
  readEnvironment,
} from '#config/environment.ts';
import type { Journal } from '#ports/journal.ts';
import { PortError } from '#ports/port-error.ts';
import { openMemory } from './memory.ts';
import { findDeployment } from './open-deployment.ts';

/**
 * The journal of a deployment: of the stack where one is named; else from `OUTRIDER_TABLE` and
 * `OUTRIDER_DECISIONS_BUCKET` where they are set; else of the stack `Outrider`. Region, credentials and endpoint as
 * the AWS SDK finds them. Throws `invalid` or `notFound` with the remedy.
 */
export const openJournal = async (stack?: string): Promise<Journal> => {
  const missing = missingVariables(journalEnvironmentVariables);
  if (stack === undefined && missing.length === 0) {
    await assureCaller(new DynamoDBClient(clientOptions));
    return openMemory(readEnvironment(journalEnvironmentVariables)).journal;
  }
  if (stack === undefined && missing.length === 1) {
    throw new PortError(
      'invalid',
      `${missing[0]} is not set and its companion is: set both, or neither`,
    );
  }
  return openMemory(await findDeployment(stack ?? defaultStack)).journal;
};

/** The stack of the project's own app. */
export const defaultStack = 'Outrider';
