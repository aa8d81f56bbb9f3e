import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** What importing one module cost in a process that had done nothing before. */
export interface ImportCost {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly peakMemoryMiB: number;
}

const script = `
const cpu = process.cpuUsage();
const start = performance.now();
await import(process.argv[1]);
const milliseconds = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({
  milliseconds,
  cpuMilliseconds: (user + system) / 1000,
  peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
}), () => process.exit(0));
`;

/** Imports a module in a fresh process of this same Node. Throws what the import throws. */
export const importModule = (file: string): ImportCost => {
  const out = execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', script, pathToFileURL(file).href],
    { encoding: 'utf8', env: { AWS_REGION: 'us-east-1' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return JSON.parse(out) as ImportCost;
};
