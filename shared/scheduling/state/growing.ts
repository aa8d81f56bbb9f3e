type Numbers = Int32Array | Float64Array | Uint8Array;

/** The array itself, or a longer copy (at least doubled) that has room for so many entries; new ones are 0. */
export function withRoom<Kind extends Numbers>(array: Kind, size: number): Kind {
  if (size <= array.length) return array;
  const Made = array.constructor as new (length: number) => Kind;
  const grown = new Made(Math.max(size, array.length * 2, 16));
  grown.set(array as never);
  return grown;
}
