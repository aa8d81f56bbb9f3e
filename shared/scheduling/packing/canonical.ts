/** In the order of their texts, by code units; those with the same text keep their order. */
export const sortedBy = <Value>(
  values: readonly Value[],
  text: (value: Value) => string,
): readonly Value[] =>
  values
    .map((value) => ({ value, text: text(value) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ value }) => value);
