import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { environmentVariables, forwardEnvironmentVariables } from '#config/environment.ts';

/**
 * What starting one module cost in a process that had done nothing before, counted from the moment
 * before its import.
 */
export interface StartCost {
  readonly importMilliseconds: number;
  readonly importCpuMilliseconds: number;
  /** Until the handler had also answered a batch without messages: environment read, service built. */
  readonly readyMilliseconds: number;
  readonly readyCpuMilliseconds: number;
  readonly peakMemoryMiB: number;
}

const script = `
const cpu = process.cpuUsage();
const start = performance.now();
const spent = () => {
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return [milliseconds, (user + system) / 1000];
};
const { handler } = await import(process.argv[1]);
const [importMilliseconds, importCpuMilliseconds] = spent();
await handler?.({ Records: [] }, { awsRequestId: 'start', getRemainingTimeInMillis: () => 30_000 });
const [readyMilliseconds, readyCpuMilliseconds] = spent();
const cost = {
  importMilliseconds,
  importCpuMilliseconds,
  readyMilliseconds,
  readyCpuMilliseconds,
  peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify({ cost }) + '\\n', () => process.exit(0));
`;

/** Names as the deployment sets them, of things that are not there: an empty batch asks for none. */
const deployedEnvironment: Readonly<Record<string, string>> = {
  AWS_REGION: 'us-east-1',
  ...Object.fromEntries(
    [...Object.values(environmentVariables), ...Object.values(forwardEnvironmentVariables)].map(
      (name) => [
        name,
        name.endsWith('_URL') ? 'https://sqs.us-east-1.amazonaws.com/000000000000/none' : 'none',
      ],
    ),
  ),
};

/**
 * Starts a bundled function in a fresh process of this same Node: imports it and hands its handler an
 * empty batch, so that everything is built that is built once per process. No request is sent. A module
 * without a handler is only imported. Throws what the import throws, and where the handler logs anything:
 * it has nothing to say of no messages but that it could not start.
 */
export const startCost = (
  file: string,
  environment: Readonly<Record<string, string>> = deployedEnvironment,
): StartCost => {
  const out = execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', script, pathToFileURL(file).href],
    { encoding: 'utf8', env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const lines = out.trimEnd().split('\n');
  const last = lines.pop() ?? '';
  if (lines.length > 0) throw new Error(`${file} did not start: ${lines.join('\n')}`);
  return (JSON.parse(last) as { readonly cost: StartCost }).cost;
};
