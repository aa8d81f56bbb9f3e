/* Text for a terminal of a given width. Widths count code points: names in clusters are ASCII. */

/** Names and messages come from outside: no control character of theirs reaches a terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');

const lengthOf = (text: string): number => [...text].length;

/** Cuts the middle out of a text that is too long, since the ends of names tell most. */
export const elide = (text: string, width: number): string => {
  const characters = [...text];
  if (characters.length <= width) return text;
  if (width < 3) return characters.slice(0, width).join('');
  const head = Math.ceil((width - 1) / 2);
  const tail = width - 1 - head;
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - tail).join('')}`;
};

/**
 * Breaks a text between words. A word longer than a line (an ARN, a URL) has one to itself and stays whole, since
 * people copy it.
 */
export const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
};

/** Wrapped under a head: the first line starts with it, the others are indented as far. */
export const hanging = (head: string, text: string, width: number): readonly string[] => {
  const indent = lengthOf(head);
  const lines = wrap(text, Math.max(20, width - indent));
  return lines.map((line, index) => `${index === 0 ? head : ' '.repeat(indent)}${line}`);
};

/** The same for a command: its lines end so that a shell takes all of them for one. */
export const hangingCommand = (head: string, text: string, width: number): readonly string[] => {
  const lines = hanging(head, text, width - 2);
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
};

/** Wrapped with the first line at the edge and the others indented under it. */
export const wrapUnder = (indent: string, text: string, width: number): readonly string[] => {
  const lines = wrap(text, width - lengthOf(indent));
  return lines.length < 2 || lengthOf(text) <= width
    ? [text]
    : lines.map((line, index) => (index === 0 ? line : indent + line));
};

export interface Column {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly right?: boolean;
  /** May be cut in the middle where the line is too long. */
  readonly elastic?: boolean;
}

const gap = 2;

/** An elastic column is not cut below this. */
const narrowest = 5;

/** Takes what is too much from the widest elastic column, again and again. */
const fitted = (
  columns: readonly Column[],
  natural: readonly number[],
  width: number,
): readonly number[] => {
  const widths = [...natural];
  const total = (): number =>
    widths.reduce((sum, column) => sum + column, gap * (columns.length - 1));
  while (total() > width) {
    let widest = -1;
    columns.forEach((column, index) => {
      const wider = widest === -1 || (widths[index] ?? 0) > (widths[widest] ?? 0);
      if (column.elastic === true && (widths[index] ?? 0) > narrowest && wider) widest = index;
    });
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
};

/** Rows under their titles, each within `width`. */
export const table = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] => {
  const all = [columns.map(({ title }) => title), ...rows];
  const natural = columns.map((_, index) =>
    Math.max(...all.map((row) => lengthOf(row[index] ?? ''))),
  );
  const widths = fitted(columns, natural, width);
  return all.map((row) =>
    columns
      .map((column, index) => {
        const size = widths[index] ?? 0;
        const cell = elide(row[index] ?? '', size);
        const blank = ' '.repeat(Math.max(0, size - lengthOf(cell)));
        return column.right === true ? blank + cell : cell + blank;
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  );
};

/** The first few of a list and how many more there are. */
export const fewOf = (names: readonly string[], most: number): string => {
  const more = names.length - most;
  if (more <= 1) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${more} more`;
};
