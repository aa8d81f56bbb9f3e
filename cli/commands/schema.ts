import type { Command } from 'commander';
import { configurationJsonSchema } from '#config/configuration-json-schema.ts';

export const register = (program: Command): void => {
  program
    .command('schema')
    .description('print the JSON Schema of outrider.yaml, for editors')
    .action(() => {
      process.stdout.write(`${JSON.stringify(configurationJsonSchema(), null, 2)}\n`);
    });
};
