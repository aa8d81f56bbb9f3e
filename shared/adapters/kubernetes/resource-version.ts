/**
 * A resource version as a number. Kubernetes defines those of its own resources as comparable: decimal integers of
 * any length without leading zeros (KEP-5504). `undefined` for anything else: it can only be told
 * equal or not.
 */
export function parseResourceVersion(text: unknown): bigint | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,39}$/.test(text) ? BigInt(text) : undefined;
}
