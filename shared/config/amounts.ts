import { isQuantityError, parseQuantity, resourceAmount } from '#cluster/quantity.ts';

/**
 * The amount that a field gives of a resource, in `Resources`' units (`cpu` in milli-CPU), rounded up;
 * `undefined` where it is no Kubernetes quantity or is negative, which no reservation can be.
 */
export const parseResource = (name: string, value: unknown): number | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const quantity = parseQuantity(value);
  if (isQuantityError(quantity) || quantity.nano < 0n) return undefined;
  return resourceAmount(name, quantity);
};
