import type { Problem } from '#cluster/problem.ts';
import { readCheckedYaml } from './checked-yaml.ts';
import type { Configuration } from './configuration.ts';
import { configurationSchema } from './configuration-schema.ts';

/**
 * Reads `outrider.yaml`. Either the whole configuration with every default filled in, or every
 * problem found, each with its line in `file` (`outrider.yaml:12`); never half a configuration.
 */
export const readConfiguration = (
  text: string,
  fileName: string,
): { readonly configuration: Configuration } | { readonly problems: readonly Problem[] } => {
  const checked = readCheckedYaml(text, fileName, configurationSchema);
  return 'value' in checked ? { configuration: checked.value } : checked;
};
