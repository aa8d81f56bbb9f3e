import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedFolder, cacheRoot, digestOf } from './cache.ts';
import { type Progress, run } from './run.ts';

/** Where the emulator's own files are. */
export const awsFolder = fileURLToPath(new URL('./aws', import.meta.url));

const requirements = join(awsFolder, 'requirements.txt');

/** The Python that the environment is made with; `OUTRIDER_PYTHON` names another one (3.10 or newer). */
export const python = (): string => process.env.OUTRIDER_PYTHON ?? 'python3';

const folderName = async (): Promise<string> =>
  `aws-emulator-${digestOf([requirements], await run(python(), ['--version']))}`;

/** Whether the environment was made before, so that neither network nor time is needed. */
export const environmentReady = async (): Promise<boolean> =>
  existsSync(join(cacheRoot(), await folderName()));

/** The interpreter of a virtual environment with the emulator in it; made (about 15 s) where it is missing. */
export const emulatorPython = async (progress: Progress): Promise<string> => {
  const folder = await cachedFolder(await folderName(), async (partial) => {
    progress('installing the AWS emulator from PyPI, once');
    await run(python(), ['-m', 'venv', partial]);
    await run(join(partial, 'bin', 'python'), [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'],
      ...['--requirement', requirements],
    ]);
  });
  return join(folder, 'bin', 'python');
};
