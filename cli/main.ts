import { Command, CommanderError } from 'commander';
import { packageVersion } from '#config/package-version.ts';
import { readTerminalEnvironment } from '#config/terminal.ts';
import { CommandError } from './command-error.ts';
import * as deadletters from './commands/deadletters.ts';
import * as doctor from './commands/doctor.ts';
import * as journal from './commands/journal.ts';
import * as plan from './commands/plan.ts';
import * as replay from './commands/replay.ts';
import * as scaleUp from './commands/scale-up.ts';
import * as schema from './commands/schema.ts';
import * as simulate from './commands/simulate.ts';
import * as snapshot from './commands/snapshot.ts';
import * as status from './commands/status.ts';
import { say } from './say.ts';

/** One line for each verb; each registers itself. */
const commands: readonly { readonly register: (program: Command) => void }[] = [
  simulate,
  plan,
  doctor,
  status,
  scaleUp,
  journal,
  replay,
  deadletters,
  snapshot,
  schema,
];

const program = (): Command => {
  const root = new Command('outrider')
    .description('Runs the nodes of self-managed Kubernetes clusters on AWS, from outside.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    // Commander ends its errors with a suggestion on a line of its own; ours are one line.
    .configureOutput({
      outputError: (text) => say(`outrider: ${text.trim().replace(/\s*\n\s*/g, ' ')}`),
    })
    .exitOverride();
  for (const command of commands) command.register(root);
  return root;
};

/** The exit codes: 0 done, 1 the answer is no, 2 wrong input or usage, 3 the world out of reach. */
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandError) {
    say(error.message.trimEnd());
    return error.exitCode;
  }
  const { debug } = readTerminalEnvironment();
  const said = error instanceof Error ? (debug ? error.stack : error.message) : String(error);
  const hint = debug ? '' : ' (set OUTRIDER_DEBUG=1 for where it happened)';
  say(`outrider: unexpected error: ${said}${hint}`);
  return 3;
};

// A reader that has seen enough (`| head`) is no error; half an answer is one.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  const why = code === 'ENOSPC' ? 'no space is left there' : (code ?? message);
  process.stderr.write(`outrider: the output cannot be written: ${why}\n`);
  process.exit(3);
});
// Where nothing can be said, the exit code still tells.
process.stderr.on('error', () => {});

try {
  const root = program();
  if (process.argv.length <= 2) {
    root.outputHelp({ error: true });
    process.exitCode = 2;
  } else {
    await root.parseAsync(process.argv);
  }
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
