import { isBytes } from './resources.ts';

const byteUnits = [
  ['Ei', 2n ** 60n],
  ['Pi', 2n ** 50n],
  ['Ti', 2n ** 40n],
  ['Gi', 2n ** 30n],
  ['Mi', 2n ** 20n],
  ['Ki', 2n ** 10n],
] as const;

/** A whole number of hundredths as a decimal: 320 -> `3.2`. */
function hundredthsText(hundredths: bigint): string {
  const fraction = (hundredths % 100n).toString().padStart(2, '0').replace(/0+$/, '');
  return `${hundredths / 100n}${fraction === '' ? '' : `.${fraction}`}`;
}

function bytesText(bytes: bigint): string {
  const unit = byteUnits.find(([, size]) => bytes >= size);
  if (!unit) return bytes.toString();
  const [suffix, size] = unit;
  const exact = (bytes * 100n) % size === 0n;
  const hundredths = exact ? (bytes * 100n) / size : (bytes * 200n + size) / (size * 2n);
  return `${exact ? '' : '~'}${hundredthsText(hundredths)}${suffix}`;
}

function milliCpuText(milliCpu: bigint): string {
  if (milliCpu < 1000n && milliCpu !== 0n) return `${milliCpu}m`;
  const fraction = (milliCpu % 1000n).toString().padStart(3, '0').replace(/0+$/, '');
  return `${milliCpu / 1000n}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * An amount of `Resources` for people: 1500 milli-CPU -> `1.5`, 100 -> `100m`, bytes -> `3.25Gi`.
 * Rounded bytes are marked: `~7.48Gi`.
 */
export function formatAmount(resource: string, amount: number): string {
  const whole = BigInt(Math.trunc(amount));
  const size = whole < 0n ? -whole : whole;
  const sign = whole < 0n ? '-' : '';
  if (resource === 'cpu') return sign + milliCpuText(size);
  return sign + (isBytes(resource) ? bytesText(size) : size.toString());
}

/**
 * Several amounts of one resource, to be read beside each other: where two that differ would look
 * alike, all are given to the last byte.
 */
export function formatAmounts(resource: string, amounts: readonly number[]): readonly string[] {
  const texts = amounts.map((amount) => formatAmount(resource, amount));
  const alike = new Set(texts).size < new Set(amounts).size;
  return alike ? amounts.map((amount) => BigInt(Math.trunc(amount)).toString()) : texts;
}

/** An amount as `formatAmount` writes it, with the unit that people say: `3.92 CPU`, `15.5 GiB`, `4`. */
export function withUnit(resource: string, text: string): string {
  if (resource === 'cpu') return `${text} CPU`;
  if (!isBytes(resource)) return text;
  return /[A-Z]i$/.test(text) ? text.replace(/([A-Z]i)$/, ' $1B') : `${text} bytes`;
}
