/** Often enough for tokens that rotate each hour or sooner, and seldom enough to cost nothing. */
const freshForMs = 10_000;

/**
 * A token from a file that is read again every 10 s: projected service account tokens rotate. While the file
 * cannot be read the last token holds; the first reading throws.
 */
export function createTokenFile(
  path: string,
  readFile: (path: string) => string,
  nowMs: () => number,
): () => string {
  let token = readFile(path).trim();
  let readMs = nowMs();
  return () => {
    if (nowMs() - readMs < freshForMs) return token;
    readMs = nowMs();
    try {
      token = readFile(path).trim() || token;
    } catch {
      // Between two versions of a projected volume the file may be missing for a moment.
    }
    return token;
  };
}
