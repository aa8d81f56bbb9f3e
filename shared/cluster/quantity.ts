/*
 * Kubernetes quantities, exactly: `1.5Gi`, `100m`, `1e3`, `12E`. The grammar is that of apimachinery
 * (staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go). Two divergences: text without any
 * digit (`Gi`, `-`) is refused, as the documented grammar says, where the Go parser takes it for 0;
 * and text longer than 256 characters is refused.
 */

/** An amount as a whole number of nano-units, the finest that Kubernetes keeps. */
export interface Quantity {
  readonly nano: bigint;
}

/** Why a text is not a quantity: one sentence that names the text and the remedy. */
export interface QuantityError {
  readonly error: string;
}

const grammar = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([A-Za-z]*)([+-]?[0-9]*)$/;
const longestText = 256;
const nanoDigits = 9;

const decimalExponents: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const binaryShifts: ReadonlyMap<string, bigint> = new Map([
  ['Ki', 10n],
  ['Mi', 20n],
  ['Gi', 30n],
  ['Ti', 40n],
  ['Pi', 50n],
  ['Ei', 60n],
]);

/** No amount goes beyond it (2^63 units is Kubernetes' own end): huge exponents cost nothing. */
const largestNano = 2n ** 63n * 10n ** 9n;

const isInt32 = (value: bigint): boolean => value >= -(2n ** 31n) && value < 2n ** 31n;

const clampNano = (nano: bigint): bigint => {
  if (nano > largestNano) return largestNano;
  return nano < -largestNano ? -largestNano : nano;
};

/** Divides two amounts that are not negative, rounding up. */
const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** digits * 10^exponent in nano-units, rounded up, without ever building a giant number. */
function decimalNano(digits: string, exponent: number): bigint {
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return 0n;
  const shift = exponent + nanoDigits;
  const magnitude = significant.length + shift;
  if (magnitude > 40) return largestNano;
  if (magnitude <= 0) return 1n;
  return shift >= 0
    ? BigInt(significant) * 10n ** BigInt(shift)
    : divideUp(BigInt(significant), 10n ** BigInt(-shift));
}

function binaryNano(digits: string, fractionLength: number, shift: bigint): bigint {
  const units = BigInt(digits) << shift;
  return divideUp(units * 10n ** BigInt(nanoDigits), 10n ** BigInt(fractionLength));
}

/** The decimal exponent that a suffix stands for; `undefined` where it is none. */
function decimalExponent(letters: string, exponentDigits: string): number | undefined {
  if (exponentDigits === '') return decimalExponents.get(letters);
  if ((letters !== 'e' && letters !== 'E') || !/[0-9]/.test(exponentDigits)) return undefined;
  const exponent = BigInt(exponentDigits.replace(/^\+/, ''));
  return isInt32(exponent) ? Number(exponent) : undefined;
}

const refused = (text: string): QuantityError => {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return {
    error: `${JSON.stringify(shown)} is not a Kubernetes quantity; write a number with at most one suffix of n u m k M G T P E Ki Mi Gi Ti Pi Ei, such as 500m or 1.5Gi`,
  };
};

/**
 * Parses a quantity. A number (YAML reads `cpu: 2` and `0.1` as such) is taken by its decimal text.
 * Amounts finer than a nano-unit are rounded away from zero, as Kubernetes does. Never throws.
 */
export function parseQuantity(text: string | number): Quantity | QuantityError {
  const source = String(text);
  const match = source.length > longestText ? null : grammar.exec(source);
  if (!match) return refused(source);
  const [, sign = '', whole = '', fraction = '', letters = '', exponentDigits = ''] = match;
  const digits = whole + fraction;
  if (digits === '') return refused(source);
  const shift = exponentDigits === '' ? binaryShifts.get(letters) : undefined;
  let nano: bigint;
  if (shift !== undefined) {
    nano = binaryNano(digits, fraction.length, shift);
  } else {
    const exponent = decimalExponent(letters, exponentDigits);
    if (exponent === undefined) return refused(source);
    nano = decimalNano(digits, exponent - fraction.length);
  }
  const bounded = clampNano(nano);
  return { nano: sign === '-' ? -bounded : bounded };
}

export const isQuantityError = (parsed: Quantity | QuantityError): parsed is QuantityError =>
  'error' in parsed;

export const addQuantities = (a: Quantity, b: Quantity): Quantity => ({
  nano: clampNano(a.nano + b.nano),
});

export const largerQuantity = (a: Quantity, b: Quantity): Quantity => (b.nano > a.nano ? b : a);

const largestSafe = BigInt(Number.MAX_SAFE_INTEGER);

function scaled(quantity: Quantity, nanoPerUnit: bigint): number {
  const { nano } = quantity;
  const size = divideUp(nano < 0n ? -nano : nano, nanoPerUnit);
  const held = Number(size > largestSafe ? largestSafe : size);
  return nano < 0n ? -held : held;
}

/** Thousandths, rounded away from zero (Quantity.MilliValue), held at ±(2^53-1). */
export const milliValue = (quantity: Quantity): number => scaled(quantity, 1_000_000n);

/** Whole units, rounded away from zero (Quantity.Value), held at ±(2^53-1). */
export const wholeValue = (quantity: Quantity): number => scaled(quantity, 1_000_000_000n);

/** The amount as `Resources` keeps it: `cpu` in milli-CPU, everything else in whole units. */
export const resourceAmount = (resource: string, quantity: Quantity): number =>
  resource === 'cpu' ? milliValue(quantity) : wholeValue(quantity);
