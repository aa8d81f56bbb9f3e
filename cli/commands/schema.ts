import type { Command } from 'commander';
import { configurationJsonSchema } from '#config/configuration-json-schema.ts';
import { printJson } from '../print.ts';

export const register = (program: Command): void => {
  program
    .command('schema')
    .description('print the JSON Schema of outrider.yaml, for editors')
    .action(() => printJson(configurationJsonSchema()));
};
