import { isJsonObject, type JsonObject } from '#cluster/json.ts';

/** A client whose answers can be listened to. */
interface Observed {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<{ readonly output: object }>,
      ) => (args: never) => Promise<never>,
      options: { readonly step: 'initialize'; readonly name: string },
    ): void;
  };
}

/**
 * Keeps every answer of a client from now on, so that what a look reads can be written down as AWS said it. In each: without the SDK's own metadata, and user data of launch templates, which
 * is where people put bootstrap tokens.
 */
export const recordAnswers = (client: object): readonly JsonObject[] => {
  const answers: JsonObject[] = [];
  (client as Observed).middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      answers.push(withoutSecrets(result.output));
      return result as never;
    },
    { step: 'initialize', name: 'outriderRecordAnswers' },
  );
  return answers;
};

const withoutSecrets = (output: object): JsonObject => {
  // Through JSON, as it will be written: dates become texts, and the answer that the caller gets stays whole.
  const copy: Record<string, unknown> = JSON.parse(JSON.stringify(output));
  delete copy.$metadata;
  const { LaunchTemplateVersions: versions } = copy;
  if (!Array.isArray(versions)) return copy;
  for (const version of versions) {
    if (isJsonObject(version) && isJsonObject(version.LaunchTemplateData)) {
      delete (version.LaunchTemplateData as Record<string, unknown>).UserData;
    }
  }
  return copy;
};
