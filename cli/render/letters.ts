import type { LetterLine } from '#operations/dead-letters.ts';
import { ageText, indent } from './section.ts';
import type { Style } from './style.ts';
import { hanging, plain, wrapUnder } from './text.ts';

/** Dead letters, each with its id on a line of its own, so that it can be copied. */
export const renderLetters = (letters: readonly LetterLine[], style: Style): string =>
  letters
    .flatMap(({ id, network, code, message, ageSeconds, body }) => {
      const where = network === '-' ? 'forwarded events' : `network ${network}`;
      const head = `${code}, ${where}, ${ageText(ageSeconds)} old`;
      return [
        style.bold(plain(id)),
        ...wrapUnder(indent, plain(`${indent}${head}`), style.width),
        ...hanging(`${indent}why   `, plain(message), style.width),
        ...hanging(`${indent}body  `, plain(body), style.width),
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
