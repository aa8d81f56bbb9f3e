import { describe, expect, it, vi } from 'vitest';
import { printJson } from '../../../cli/print.ts';

const printed = (document: unknown): string => {
  let out = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    out += String(piece);
    return true;
  });
  try {
    printJson(document);
  } finally {
    write.mockRestore();
  }
  return out;
};

describe('the JSON document of a command', () => {
  // A terminal takes U+009B for the beginning of a command and U+009D for that of a title.
  const signs = [
    0x00, 0x1b, 0x7f, 0x9b, 0x9d, 0xad, 0x200b, 0x202e, 0x2028, 0x2029, 0xfeff, 0xe0041,
  ];

  it.each(signs.map((code) => [code.toString(16), code] as const))(
    'has no sign that a terminal obeys or does not show: U+%s',
    (_, code) => {
      const document = {
        [`key${String.fromCodePoint(code)}`]: [`a${String.fromCodePoint(code)}b`],
      };
      const text = printed(document);
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      expect(JSON.parse(text)).toEqual(document);
    },
  );

  it('writes such a sign by its number', () => {
    expect(printed('\u009b31m \u{e0041}')).toBe('"\\u009b31m \\udb40\\udc41"\n');
  });

  it('is otherwise as JSON is written, over lines and in any script', () => {
    expect(printed({ a: ['ä 節 😀', 'x\ny'] })).toBe(
      '{\n  "a": [\n    "ä 節 😀",\n    "x\\ny"\n  ]\n}\n',
    );
  });
});
