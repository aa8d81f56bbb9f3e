/** What the deployed function `forward-events` knows of its surroundings: it stands in no network. */
export interface ForwardEnvironment {
  readonly configurationBucket: string;
  readonly configurationKey: string;
  /** The custom bus that it forwards to. */
  readonly eventBusName: string;
  readonly deadLetterQueueUrl: string;
  /** The queue that feeds this function. */
  readonly queueUrl: string;
  readonly engineVersion: string;
}

/** The variable of each field; the deployment sets them under these names. */
export const forwardEnvironmentVariables: Readonly<Record<keyof ForwardEnvironment, string>> = {
  configurationBucket: 'OUTRIDER_CONFIGURATION_BUCKET',
  configurationKey: 'OUTRIDER_CONFIGURATION_KEY',
  eventBusName: 'OUTRIDER_EVENT_BUS_NAME',
  deadLetterQueueUrl: 'OUTRIDER_DEAD_LETTER_QUEUE_URL',
  queueUrl: 'OUTRIDER_QUEUE_URL',
  engineVersion: 'OUTRIDER_ENGINE_VERSION',
};

/**
 * Reads the environment of `forward-events`. Throws one Error that names every variable that is missing or
 * empty.
 */
export const readForwardEnvironment = (
  variables: Readonly<Record<string, string | undefined>> = process.env,
): ForwardEnvironment => {
  const missing = Object.values(forwardEnvironmentVariables).filter((name) => !variables[name]);
  if (missing.length > 0) {
    throw new Error(
      `The environment lacks ${missing.join(', ')}: the Outrider construct sets ${
        missing.length === 1 ? 'it' : 'them'
      } on forward-events, so deploy again with it.`,
    );
  }
  const value = (field: keyof ForwardEnvironment): string =>
    variables[forwardEnvironmentVariables[field]] ?? '';
  return {
    configurationBucket: value('configurationBucket'),
    configurationKey: value('configurationKey'),
    eventBusName: value('eventBusName'),
    deadLetterQueueUrl: value('deadLetterQueueUrl'),
    queueUrl: value('queueUrl'),
    engineVersion: value('engineVersion'),
  };
};
