/** Edits between two words (insert, delete, replace, swap of neighbours): optimal string alignment. */
const distance = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const above = rows[row - 1] ?? [];
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (row > 1 && column > 1 && swapped) {
        best = Math.min(best, (rows[row - 2]?.[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    rows.push(current);
  }
  return rows[a.length]?.[b.length] ?? 0;
};

/** The known key that was probably meant: at most a third of its letters wrong, the first on a tie. */
export const nearestKey = (key: string, known: readonly string[]): string | undefined => {
  const wanted = key.slice(0, 100).toLowerCase();
  let best: { readonly key: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits <= Math.max(1, candidate.length / 3) && (best === undefined || edits < best.edits)) {
      best = { key: candidate, edits };
    }
  }
  return best?.key;
};
