import type { Problem } from '#cluster/problem.ts';

type Fault = Pick<Problem, 'code' | 'message'>;

const startsWith = (bytes: Buffer, ...head: readonly number[]): boolean =>
  head.every((byte, index) => bytes[index] === byte);

/**
 * The bytes of a text file as UTF-8 without a byte-order mark (PowerShell writes UTF-16), or why they
 * are no text.
 */
export const textBytes = (bytes: Buffer): { readonly bytes: Buffer } | Fault => {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return { bytes: bytes.subarray(3) };
  if (startsWith(bytes, 0xff, 0xfe)) {
    return { bytes: Buffer.from(bytes.toString('utf16le', 2)) };
  }
  if (startsWith(bytes, 0x1f, 0x8b)) {
    return { code: 'compressed', message: 'is compressed: run gunzip on it first' };
  }
  if (bytes.subarray(0, 8192).includes(0)) {
    return { code: 'binary', message: 'is binary, not JSON or YAML: leave it out' };
  }
  return { bytes };
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first byte that is not white space, as a character; `undefined` in an empty file. */
export const firstCharacter = (bytes: Buffer): string | undefined => {
  let at = 0;
  while (at < bytes.length && isSpace(bytes[at])) at += 1;
  return at === bytes.length ? undefined : String.fromCharCode(bytes[at] ?? 0);
};

/** The line, counted from 1, in which a byte stands. */
export const lineOf = (bytes: Buffer, offset: number): number => {
  let line = 1;
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < offset; at = bytes.indexOf(0x0a, at + 1)) {
    line += 1;
  }
  return line;
};
