import { environmentVariables } from './environment.ts';

/** Where the journal of a deployment is. */
export interface JournalEnvironment {
  readonly table: string;
  readonly decisionsBucket: string;
}

/** Reads it from the environment, or names the variables that are missing or empty. */
export const readJournalEnvironment = (
  variables: Readonly<Record<string, string | undefined>> = process.env,
): JournalEnvironment | { readonly missing: readonly string[] } => {
  const names = [environmentVariables.table, environmentVariables.decisionsBucket];
  const missing = names.filter((name) => !variables[name]);
  if (missing.length > 0) return { missing };
  return {
    table: variables[environmentVariables.table] ?? '',
    decisionsBucket: variables[environmentVariables.decisionsBucket] ?? '',
  };
};
