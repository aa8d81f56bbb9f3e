/*
 * 64-bit integers in label, taint and toleration values, compared as Kubernetes compares them.
 */

const inInt64 = (value: bigint): bigint | undefined =>
  value >= -(2n ** 63n) && value < 2n ** 63n ? value : undefined;

/** As Go's strconv.ParseInt(text, 10, 64): a sign and leading zeros are accepted. */
export function parseInt64(text: string): bigint | undefined {
  if (text.length > 64 || !/^[+-]?[0-9]+$/.test(text)) return undefined;
  return inInt64(BigInt(text.replace(/^\+/, '')));
}

/** The one way to write each 64-bit integer: no plus sign, no leading zeros, no `-0`. */
export function parseCanonicalInt64(text: string): bigint | undefined {
  if (text.length > 20 || !/^(?:0|-?[1-9][0-9]*)$/.test(text)) return undefined;
  return inInt64(BigInt(text));
}
