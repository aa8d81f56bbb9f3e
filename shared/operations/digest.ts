/**
 * A 64-bit digest of a text, as 16 hexadecimal digits: tells whether something said changed since the
 * last time. Not for secrets. (FNV-1a of 32 bits, twice, from two offsets and over both bytes of each
 * UTF-16 unit.)
 */
export const digestOf = (text: string): string => {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(Math.imul(a ^ (unit & 0xff), 0x01000193) ^ (unit >>> 8), 0x01000193);
    b = Math.imul(Math.imul(b ^ (unit >>> 8), 0x01000193) ^ (unit & 0xff), 0x01000193) ^ (a >>> 13);
  }
  const hex = (n: number): string => (n >>> 0).toString(16).padStart(8, '0');
  return hex(a) + hex(b);
};
