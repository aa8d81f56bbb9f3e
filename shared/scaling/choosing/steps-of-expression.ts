/** Names of Auto Scaling groups have no more characters. */
const longestName = 255;

/** Without what a search does anyhow: it begins and ends anywhere in the name. The same names are found. */
export const bareExpression = (pattern: string): string =>
  pattern.replace(/^\^?(\.\*)+\??/, '').replace(/(?<!\\)(\.\*)+\??\$?$/, '');

/**
 * The most steps that a search for the expression in a name can take, where every way of matching is tried: the product of
 * what each part can do by turns. `Infinity` for a repeated part that can itself match in several ways, and for
 * look-around and references back, which Go's expressions do not have. The pattern must be one that compiles.
 */
export const stepsOfExpression = (pattern: string): number => {
  const reader: Reader = { text: pattern, at: 0 };
  let steps = 0;
  // A search for an alternative begins at every character, but where that one is tied to the beginning.
  for (; reader.at <= pattern.length; reader.at += 1) {
    const starts = pattern[reader.at] === '^' ? 1 : longestName;
    steps += sequence(reader) * starts;
  }
  return steps;
};

interface Reader {
  readonly text: string;
  at: number;
}

const alternation = (reader: Reader): number => {
  let steps = sequence(reader);
  while (reader.text[reader.at] === '|') {
    reader.at += 1;
    steps += sequence(reader);
  }
  return steps;
};

const sequence = (reader: Reader): number => {
  let steps = 1;
  while (reader.at < reader.text.length && !'|)'.includes(reader.text[reader.at] ?? '')) {
    steps *= repeated(atom(reader), reader);
  }
  return steps;
};

/** How many ways one part can match at one place. */
const atom = (reader: Reader): number => {
  const { text, at } = reader;
  if (text[at] === '\\') {
    reader.at += 2;
    return /[1-9k]/.test(text[at + 1] ?? '') ? Number.POSITIVE_INFINITY : 1;
  }
  if (text[at] === '[') {
    const [set = '['] = /^\[\^?(?:\\.|[^\]\\])*\]?/s.exec(text.slice(at)) ?? [];
    reader.at += set.length;
    return 1;
  }
  if (text[at] !== '(') {
    reader.at += 1;
    return 1;
  }
  const [opening = '('] =
    /^\((?:\?(?::|<[A-Za-z_]\w*>|<?[=!]|[a-z-]*:))?/.exec(text.slice(at)) ?? [];
  reader.at += opening.length;
  const steps = alternation(reader);
  reader.at += 1;
  return /[=!]$/.test(opening) ? Number.POSITIVE_INFINITY : steps;
};

const repeated = (steps: number, reader: Reader): number => {
  const [written = '', least = '', upTo, most = ''] =
    /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(reader.text.slice(reader.at)) ?? [];
  if (written === '') return steps;
  reader.at += written.length;
  if (written.startsWith('?')) return steps + 1;
  const isCounted = written.startsWith('{');
  if (isCounted && upTo === undefined) return steps ** Number(least);
  const isBounded = isCounted && most !== '';
  if (isBounded) return steps ** Number(most) * (Number(most) - Number(least) + 1);
  return steps > 1 ? Number.POSITIVE_INFINITY : longestName;
};
