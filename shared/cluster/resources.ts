/**
 * Amounts by resource name, as whole numbers: `cpu` in milli-CPU, everything else in its base unit
 * (bytes, devices, pods), rounded up as the scheduler does. Exact up to 2^53-1 and held there
 * (8 PiB of memory); never a fraction.
 */
export type Resources = Readonly<Record<string, number>>;
