/**
 * How many characters must be put in, taken out or replaced, or neighbours exchanged, to make one text of the
 * other (optimal string alignment). Counts code points. Beyond `most` it says `most + 1`, and looks no further.
 */
export function editDistance(a: string, b: string, most: number): number {
  const [from, to] = [[...a], [...b]];
  if (Math.abs(from.length - to.length) > most) return most + 1;
  let older: number[] = [];
  let old = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const now = [row];
    let least = row;
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (old[column - 1] ?? 0) + (same ? 0 : 1),
        (old[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
      );
      const exchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && exchanged) {
        cost = Math.min(cost, (older[column - 2] ?? 0) + 1);
      }
      now.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    older = old;
    old = now;
  }
  return Math.min(old[to.length] ?? 0, most + 1);
}

/** So many slips of the pen a text of this length may have: a third of it, one at least. */
const slipsOf = (text: string): number => Math.max(1, Math.floor([...text].length / 3));

export interface Near {
  readonly text: string;
  readonly distance: number;
}

/** Those of the names that may have been meant, the nearest first, of equals by name. */
export const nearestTo = (text: string, names: Iterable<string>): readonly Near[] => {
  const most = slipsOf(text);
  return [...new Set(names)]
    .filter((name) => name !== text)
    .map((name) => ({ text: name, distance: editDistance(text, name, most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.text < b.text ? -1 : 1));
};
