import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { MiB } from '../../helpers/scaling-builders.ts';
import { UsageError } from '../usage-error.ts';
import { gpu } from './instance-types.ts';

const whole = z
  .string()
  .regex(/^\d+$/, 'is no whole number')
  .transform((text) => Number(text));

/** A row of the trace; what else it tells plays no part. */
const podRow = z.object({
  name: z.string().min(1),
  cpu_milli: whole,
  memory_mib: whole,
  /** Devices; a share of one (gpu_milli below 1000) is rounded up to it. */
  num_gpu: whole,
});

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new UsageError(
      `--input: ${file} cannot be read (${(thrown as NodeJS.ErrnoException).code}); give the folder with the pods.csv of the trace`,
    );
  }
};

/** The pods of `pods.csv`: a first line of names, then values, divided by commas, none quoted. */
export function readPods(folder: string): readonly StatePod[] {
  const file = join(folder, 'pods.csv');
  const [header = '', ...lines] = textOf(file).trim().split(/\r?\n/);
  const names = header.split(',');
  return lines.map((line, index) => {
    const values = line.split(',');
    const parsed = podRow.safeParse(
      Object.fromEntries(names.map((name, column) => [name, values[column]])),
    );
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new UsageError(
        `--input: ${file}, line ${index + 2}: ${issue?.path.join('.')}: ${issue?.message}; give the trace unchanged`,
      );
    }
    const { name, cpu_milli, memory_mib, num_gpu } = parsed.data;
    return {
      namespace: 'default',
      name,
      uid: name,
      labels: {},
      requests: {
        cpu: cpu_milli,
        memory: memory_mib * MiB,
        ...(num_gpu > 0 ? { [gpu]: num_gpu } : {}),
      },
      nodeSelector: {},
      tolerations: [],
      hostPorts: [],
      notJudged: [],
    };
  });
}
