/** Orders texts by code units: the same everywhere, whatever the locale. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** Orders objects by namespace, then name. */
export const compareNamespacedName = (
  a: { readonly namespace?: string; readonly name: string },
  b: { readonly namespace?: string; readonly name: string },
): number => compareText(a.namespace ?? '', b.namespace ?? '') || compareText(a.name, b.name);
