/*
 * Names that the deployment hands to its functions. Only names: everything that people configure is in
 * `outrider.yaml`, read fresh (environment variables stop at 4 KB and change only with a deployment).
 */

/** What a function knows of its surroundings, by the variable under which the deployment sets each field. */
export type EnvironmentOf<Names> = { readonly [Field in keyof Names]: string };

/** What `forward-events` knows: it stands in no network. */
export const forwardEnvironmentVariables = {
  configurationBucket: 'OUTRIDER_CONFIGURATION_BUCKET',
  configurationKey: 'OUTRIDER_CONFIGURATION_KEY',
  deadLetterQueueUrl: 'OUTRIDER_DEAD_LETTER_QUEUE_URL',
  /** The custom bus that it forwards to. */
  eventBusName: 'OUTRIDER_EVENT_BUS_NAME',
} as const;
export type ForwardEnvironment = EnvironmentOf<typeof forwardEnvironmentVariables>;

/** Where the journal of a deployment is. */
export const journalEnvironmentVariables = {
  /** The one DynamoDB table. */
  table: 'OUTRIDER_TABLE',
  /** Bucket of the decision snapshots. */
  decisionsBucket: 'OUTRIDER_DECISIONS_BUCKET',
} as const;

/** What `scale-up` knows. */
export const environmentVariables = {
  ...journalEnvironmentVariables,
  configurationBucket: forwardEnvironmentVariables.configurationBucket,
  configurationKey: forwardEnvironmentVariables.configurationKey,
  /** Name of the network that this function stands in. */
  network: 'OUTRIDER_NETWORK',
  deadLetterQueueUrl: forwardEnvironmentVariables.deadLetterQueueUrl,
  /** The queue that feeds this function. */
  queueUrl: 'OUTRIDER_QUEUE_URL',
  /** The topic of what must wake somebody. */
  pagesTopicArn: 'OUTRIDER_PAGES_TOPIC_ARN',
  engineVersion: 'OUTRIDER_ENGINE_VERSION',
} as const;
export type Environment = EnvironmentOf<typeof environmentVariables>;

type Variables = Readonly<Record<string, string | undefined>>;

/** Those of the variables that are missing or empty. */
export const missingVariables = (
  names: Readonly<Record<string, string>>,
  variables: Variables = process.env,
): readonly string[] => Object.values(names).filter((name) => !variables[name]);

/** Reads the environment of a function. Throws one Error that names every variable that is missing or empty. */
export const readEnvironment = <Names extends Readonly<Record<string, string>>>(
  names: Names,
  variables: Variables = process.env,
): EnvironmentOf<Names> => {
  const missing = missingVariables(names, variables);
  if (missing.length > 0) {
    throw new Error(
      `The environment lacks ${missing.join(', ')}: the Outrider construct sets ${
        missing.length === 1 ? 'it' : 'them'
      } on its functions, so deploy again with it.`,
    );
  }
  const fields = Object.entries(names).map(([field, name]) => [field, variables[name]]);
  return Object.fromEntries(fields) as EnvironmentOf<Names>;
};
