/** What a queue was told, in order, each once; and how many came more than once, which does no harm. */
export const told = (
  all: readonly string[],
): { readonly once: readonly string[]; readonly doubled: number } => {
  const once = [...new Set(all)].toSorted();
  return { once, doubled: once.filter((one) => all.indexOf(one) !== all.lastIndexOf(one)).length };
};
