import { isJsonObject, type JsonObject } from '#cluster/json.ts';

/**
 * Millionths of a dollar per hour, of products of the price list (JSON texts, format `aws_v1`): the dearest of the
 * On-Demand terms by the hour. Terms that cost nothing are other ways to pay (capacity blocks) and do not count.
 * `undefined`: none of them says so.
 */
export const readOnDemandMicro = (products: readonly unknown[]): number | undefined => {
  const prices = products
    .flatMap((text) => childrenOf(termsOf(parsed(text))))
    .flatMap((term) => childrenOf(term.priceDimensions))
    .flatMap(microOf);
  return prices.length === 0 ? undefined : Math.max(...prices);
};

const parsed = (text: unknown): unknown => {
  // The SDK gives each product as a text that knows how to be a string.
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
};

const termsOf = (product: unknown): unknown =>
  isJsonObject(product) && isJsonObject(product.terms) ? product.terms.OnDemand : undefined;

const childrenOf = (parent: unknown): readonly JsonObject[] =>
  isJsonObject(parent) ? Object.values(parent).filter(isJsonObject) : [];

const microOf = ({ unit, pricePerUnit }: JsonObject): readonly number[] => {
  const dollars = isJsonObject(pricePerUnit) ? pricePerUnit.USD : undefined;
  if (unit !== 'Hrs' || typeof dollars !== 'string') return [];
  const micro = Math.round(Number(dollars) * 1_000_000);
  return Number.isSafeInteger(micro) && micro > 0 ? [micro] : [];
};
