/** The text in at most `most` bytes of UTF-8, never within a character; `…` says that it was cut. */
export function cutBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  let end = most - 3;
  // A byte 10xxxxxx continues a character: step back to where one starts.
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return `${new TextDecoder().decode(bytes.subarray(0, end))}…`;
}
