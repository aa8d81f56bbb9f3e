const scales: Readonly<Record<string, bigint>> = {
  '': 1000n,
  m: 1n,
  k: 10n ** 6n,
  M: 10n ** 9n,
  G: 10n ** 12n,
  T: 10n ** 15n,
  Ki: 1000n << 10n,
  Mi: 1000n << 20n,
  Gi: 1000n << 30n,
  Ti: 1000n << 40n,
};

export const parseResource = (name: string, value: unknown): number | undefined => {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?([a-zA-Z]{0,2})$/.exec(String(value));
  const scale = scales[match?.[3] ?? ''];
  if (match === null || scale === undefined) return undefined;
  const fraction = match[2] ?? '';
  const digits = BigInt(`${match[1]}${fraction}`) * scale;
  const unit = 10n ** BigInt(fraction.length) * (name === 'cpu' ? 1n : 1000n);
  return Number((digits + unit - 1n) / unit);
};
