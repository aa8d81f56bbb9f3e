import type { Problem } from '#cluster/problem.ts';
import type { Configuration } from './configuration.ts';
import { configurationSchema } from './configuration-schema.ts';
import { fieldOf, problemsOfIssues } from './schema-problems.ts';

/**
 * Reads the configuration as the deployment stores it: `outrider.yaml`, checked once already, as JSON.
 * Checked again all the same, since a function and a file of another version may meet. Apart from
 * `readConfiguration` so that the YAML parser (0.1 MB) stays out of the functions.
 */
export const readDeployedConfiguration = (
  text: string,
): { readonly configuration: Configuration } | { readonly problems: readonly Problem[] } => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { problems: [{ code: 'notJson', message: 'is no JSON: deploy outrider.yaml again' }] };
  }
  const checked = configurationSchema.safeParse(raw, { reportInput: true });
  if (checked.success) return { configuration: checked.data };
  return {
    problems: problemsOfIssues(checked.error.issues).map(({ path, code, message }) => {
      const field = fieldOf(path);
      return { ...(field === '' ? {} : { field }), code, message };
    }),
  };
};
