import { Command, CommanderError } from 'commander';
import { packageVersion } from '#config/package-version.ts';
import { readTerminalEnvironment } from '#config/terminal.ts';
import { CommandError } from './command-error.ts';
import { say } from './say.ts';

interface VerbModule {
  readonly register: (program: Command) => void;
}

/**
 * One line for each verb; each registers itself. Loaded when named: half of them carry the AWS SDK, which takes
 * longer to load than the others to run. Only modules of this very room may be loaded so (docs/adr/0002).
 */
const verbs: ReadonlyMap<string, () => Promise<VerbModule>> = new Map<
  string,
  () => Promise<VerbModule>
>([
  ['simulate', () => import('./commands/simulate.ts')],
  ['plan', () => import('./commands/plan.ts')],
  ['explain', () => import('./commands/explain.ts')],
  ['doctor', () => import('./commands/doctor.ts')],
  ['status', () => import('./commands/status.ts')],
  ['scale-up', () => import('./commands/scale-up.ts')],
  ['journal', () => import('./commands/journal.ts')],
  ['replay', () => import('./commands/replay.ts')],
  ['deadletters', () => import('./commands/deadletters.ts')],
  ['snapshot', () => import('./commands/snapshot.ts')],
  ['schema', () => import('./commands/schema.ts')],
]);

/** The verb that is named; all of them where the answer is about all: help, a verb that does not exist. */
const verbsFor = (name: string | undefined): readonly (() => Promise<VerbModule>)[] => {
  if (name === '--version') return [];
  const named = verbs.get(name ?? '');
  return named === undefined ? [...verbs.values()] : [named];
};

const helpful = /unknown (command|option)|too many arguments|missing required argument/;

/** One line, and where to find how it is written. Commander puts its suggestion on a line of its own. */
const usageError = (text: string): string => {
  const line = text.trim().replace(/\s*\n\s*/g, ' ');
  const [verb = ''] = process.argv.slice(2);
  const help = verbs.has(verb) ? `outrider ${verb} --help` : 'outrider --help';
  return helpful.test(line) ? `${line.replace(/\.$/, '')}: see ${help}` : line;
};

const program = async (): Promise<Command> => {
  const root = new Command('outrider')
    .description('Runs the nodes of self-managed Kubernetes clusters on AWS, from outside.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: (text) => say(`outrider: ${usageError(text)}`) })
    .exitOverride();
  for (const load of verbsFor(process.argv[2])) (await load()).register(root);
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
  const root = await program();
  if (process.argv.length <= 2) {
    root.outputHelp({ error: true });
    process.exitCode = 2;
  } else {
    await root.parseAsync(process.argv);
  }
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
