import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testbed/eventually.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import '../../helpers/own-temporary-folder.ts';

const program = fileURLToPath(new URL('fixture/hold-emulator.ts', import.meta.url));

describe.skipIf(await withoutTestbed())('the servers of the test bed', () => {
  it('end with the process that started them, even if that is killed', async () => {
    const holder = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(holder.stdout, 'data')) as [Buffer];
    const endpoint = line.toString().trim();
    expect((await fetch(`${endpoint}/_ministack/health`)).ok).toBe(true);
    holder.kill('SIGKILL');
    await eventually('a refused connection', () =>
      fetch(`${endpoint}/_ministack/health`).then(
        () => undefined,
        () => true,
      ),
    );
  });
});
