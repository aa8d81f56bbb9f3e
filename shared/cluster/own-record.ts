/*
 * Records whose keys come from outside. `__proto__` is a legal JSON key: plain assignment would set a
 * prototype, and a plain look-up of `constructor` would find one.
 */

/** Sets an own property, whatever the key. */
export function setOwn<Value>(record: Record<string, Value>, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    record[key] = value;
  }
}

/** An own property, or `undefined`. */
export const getOwn = <Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);
