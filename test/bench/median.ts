/** The middle value, the upper one of an even number. `values` must not be empty. */
export const median = (values: readonly number[]): number => {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('no median of no values');
  return middle;
};
