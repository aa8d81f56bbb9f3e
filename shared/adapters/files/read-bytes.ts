import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { PortError } from '#ports/port-error.ts';
import { systemError } from './list-files.ts';

export interface ReadBounds {
  /** Longer files are refused. */
  readonly mostBytes: number;
  /** A pipe is given up when nothing came for so long. Default: five minutes. */
  readonly silenceMs?: number;
  /** A pipe that nobody has open for writing is given up sooner. Default: five seconds. */
  readonly nobodyMs?: number;
}

const mebibyte = 1024 * 1024;
const firstPiece = 64 * 1024;
const lookAgainMs = 20;

/** `256 MiB`; what is less than one as it stands. */
const sizeText = (bytes: number): string =>
  bytes < mebibyte ? `${bytes} bytes` : `${Math.floor(bytes / mebibyte)} MiB`;

const tooLarge = (path: string, mostBytes: number): PortError =>
  new PortError(
    'invalid',
    `${path} is larger than ${sizeText(mostBytes)}: name a smaller file, or several in a folder`,
  );

/** Bytes read, 0 at the end, `undefined` where a pipe has none yet. */
const readPiece = async (handle: FileHandle, into: Buffer): Promise<number | undefined> => {
  try {
    return (await handle.read(into, 0, into.length, null)).bytesRead;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
};

/** Waits for the writer of a pipe, within bounds; before the first byte the end may be the beginning. */
const pipeReader = (path: string, { silenceMs = 300_000, nobodyMs = 5_000 }: ReadBounds) => {
  let any = false;
  return async (handle: FileHandle, into: Buffer): Promise<number> => {
    for (let waitedMs = 0; ; waitedMs += lookAgainMs) {
      const got = await readPiece(handle, into);
      if (got !== undefined && (got > 0 || any)) {
        any = true;
        return got;
      }
      if (waitedMs >= (got === 0 ? nobodyMs : silenceMs)) {
        throw new PortError('invalid', `${path} is a pipe that nobody writes to: name a file`);
      }
      await pause(lookAgainMs);
    }
  };
};

const readAll = async (handle: FileHandle, path: string, bounds: ReadBounds): Promise<Buffer> => {
  const found = await handle.stat();
  if (found.isCharacterDevice() || found.isBlockDevice()) {
    throw new PortError('invalid', `${path} is a device, which has no end: name a file`);
  }
  const { mostBytes } = bounds;
  if (found.isFile() && found.size > mostBytes) throw tooLarge(path, mostBytes);
  const pipe = found.isFIFO() ? pipeReader(path, bounds) : undefined;
  // One byte more than there should be, so that the end is found without a larger buffer.
  let bytes = Buffer.allocUnsafeSlow(Math.max(found.size + 1, firstPiece));
  let length = 0;
  for (;;) {
    const rest = bytes.subarray(length);
    const got = await (pipe === undefined ? readPiece(handle, rest) : pipe(handle, rest));
    if (got === undefined || got === 0) return bytes.subarray(0, length);
    length += got;
    if (length > mostBytes) throw tooLarge(path, mostBytes);
    if (length < bytes.length) continue;
    const larger = Buffer.allocUnsafeSlow(Math.min(2 * bytes.length, mostBytes + 1));
    bytes.copy(larger);
    bytes = larger;
  }
};

/**
 * The bytes of a file that somebody named; never more than `mostBytes`, and never waiting for ever: a
 * device is refused, and a pipe (`/dev/stdin`, process substitution) must be written to. Throws
 * `notFound` or `invalid`, with the remedy.
 */
export const readBytes = async (path: string, bounds: ReadBounds): Promise<Buffer> => {
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK a pipe without a writer would hold up the opening itself.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return await readAll(handle, path, bounds);
  } catch (error) {
    if (error instanceof PortError) throw error;
    const code = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'notFound' : 'invalid';
    throw new PortError(code, `${path} ${systemError(error)}`, { cause: error });
  } finally {
    await handle?.close();
  }
};
