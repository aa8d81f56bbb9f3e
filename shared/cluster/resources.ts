import { getOwn, setOwn } from './own-record.ts';

/**
 * Amounts by resource name, as whole numbers: `cpu` in milli-CPU, everything else in its base unit
 * (bytes, devices, pods), rounded up as the scheduler does. Exact up to 2^53-1 and held there
 * (8 PiB of memory); never a fraction.
 */
export type Resources = Readonly<Record<string, number>>;

/** An amount by name; a resource that is not there counts as 0. */
export const amountIn = (resources: Resources, name: string): number =>
  getOwn(resources, name) ?? 0;

/** Holds an amount within ±(2^53-1), where whole numbers are exact. */
export const heldAmount = (amount: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, amount));

function combine(
  a: Resources,
  b: Resources,
  join: (left: number, right: number) => number,
): Resources {
  const result: Record<string, number> = { ...a };
  for (const name of Object.keys(b)) {
    setOwn(result, name, heldAmount(join(amountIn(a, name), amountIn(b, name))));
  }
  return result;
}

/** a + b for every resource of either, held at 2^53-1. */
export const addResources = (a: Resources, b: Resources): Resources =>
  combine(a, b, (left, right) => left + right);

/** a - b for every resource of either; negative where b is larger. */
export const subtractResources = (a: Resources, b: Resources): Resources =>
  combine(a, b, (left, right) => left - right);

/** The larger amount for every resource of either. */
export const maxResources = (a: Resources, b: Resources): Resources =>
  combine(a, b, (left, right) => Math.max(left, right));

/** The smaller amount for every resource of either; one that only one side has becomes at most 0. */
export function minResources(a: Resources, b: Resources): Resources {
  const result: Record<string, number> = {};
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    setOwn(result, name, Math.min(amountIn(a, name), amountIn(b, name)));
  }
  return result;
}

/** Whether every request that is not zero is at most what is free. */
export function resourcesFit(requests: Resources, free: Resources): boolean {
  for (const name of Object.keys(requests)) {
    const request = amountIn(requests, name);
    if (request > 0 && request > amountIn(free, name)) return false;
  }
  return true;
}

/** A hugepages resource: `hugepages-2Mi`. */
export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** Whether an amount of this resource is a number of bytes. */
export const isBytes = (name: string): boolean =>
  name === 'memory' || name === 'ephemeral-storage' || isHugePages(name);
