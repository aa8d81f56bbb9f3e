/*
 * Names that the deployment hands to its functions. Only names: everything that people configure is in
 * `outrider.yaml`, read fresh (environment variables stop at 4 KB and change only with a deployment).
 */

/** What a deployed function knows of its surroundings. */
export interface Environment {
  /** The one DynamoDB table. */
  readonly table: string;
  /** Bucket of the decision snapshots. */
  readonly decisionsBucket: string;
  readonly configurationBucket: string;
  readonly configurationKey: string;
  /** Name of the network that this function stands in. */
  readonly network: string;
  readonly deadLetterQueueUrl: string;
  /** The queue that feeds this function. */
  readonly queueUrl: string;
  /** The topic of what must wake somebody. */
  readonly pagesTopicArn: string;
  readonly engineVersion: string;
}

/** The variable of each field; the deployment sets them under these names. */
export const environmentVariables: Readonly<Record<keyof Environment, string>> = {
  table: 'OUTRIDER_TABLE',
  decisionsBucket: 'OUTRIDER_DECISIONS_BUCKET',
  configurationBucket: 'OUTRIDER_CONFIGURATION_BUCKET',
  configurationKey: 'OUTRIDER_CONFIGURATION_KEY',
  network: 'OUTRIDER_NETWORK',
  deadLetterQueueUrl: 'OUTRIDER_DEAD_LETTER_QUEUE_URL',
  queueUrl: 'OUTRIDER_QUEUE_URL',
  pagesTopicArn: 'OUTRIDER_PAGES_TOPIC_ARN',
  engineVersion: 'OUTRIDER_ENGINE_VERSION',
};

/**
 * Reads the environment of a function. Throws one Error that names every variable that is missing or
 * empty.
 */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Environment {
  const missing = Object.values(environmentVariables).filter((name) => !variables[name]);
  if (missing.length > 0) {
    throw new Error(
      `The environment lacks ${missing.join(', ')}: the Outrider construct sets ${
        missing.length === 1 ? 'it' : 'them'
      } on every function, so deploy again with it.`,
    );
  }
  const value = (field: keyof Environment): string => variables[environmentVariables[field]] ?? '';
  return {
    table: value('table'),
    decisionsBucket: value('decisionsBucket'),
    configurationBucket: value('configurationBucket'),
    configurationKey: value('configurationKey'),
    network: value('network'),
    deadLetterQueueUrl: value('deadLetterQueueUrl'),
    queueUrl: value('queueUrl'),
    pagesTopicArn: value('pagesTopicArn'),
    engineVersion: value('engineVersion'),
  };
}
