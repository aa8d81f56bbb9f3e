import type { Command } from 'commander';

export const register = (program: Command): void => {
  program
    .command('simulate')
    .description('play a scenario in a simulated account and cluster')
    .argument('[file]', 'scenario file (YAML)');
};
