/** A text's FNV-1a hash, 32 bit, over its UTF-16 units: to spread and to tell apart, not to protect. */
export const hash32 = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
};
