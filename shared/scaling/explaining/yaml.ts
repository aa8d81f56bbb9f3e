/** What a patch is made of. */
export type YamlValue =
  | string
  | number
  | boolean
  /** In a patch: takes the field away. */
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue | undefined };

/** Reads as a string as it stands, in YAML 1.1 and 1.2 alike; anything else is quoted. */
const plainText = /^[A-Za-z_./][-A-Za-z0-9_./]*$/;
const otherMeaning = /^(?:true|false|yes|no|on|off|y|n|null|\.nan|\.inf|~)$/i;

const textOf = (text: string): string =>
  plainText.test(text) && !otherMeaning.test(text) ? text : JSON.stringify(text);

const isList = (value: YamlValue): value is readonly YamlValue[] => Array.isArray(value);

const isMap = (value: YamlValue): value is { readonly [key: string]: YamlValue | undefined } =>
  typeof value === 'object' && value !== null && !isList(value);

const linesOf = (value: YamlValue): readonly string[] => {
  if (typeof value === 'string') return [textOf(value)];
  if (isList(value)) {
    if (value.length === 0) return ['[]'];
    return value.flatMap((item) =>
      linesOf(item).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`),
    );
  }
  if (!isMap(value)) return [String(value)];
  const entries = Object.entries(value).flatMap(([key, part]) =>
    part === undefined ? [] : [{ key, part }],
  );
  if (entries.length === 0) return ['{}'];
  return entries.flatMap(({ key, part }) => {
    const lines = linesOf(part);
    const [first = ''] = lines;
    const isBlock = typeof part === 'object' && part !== null && first !== '[]' && first !== '{}';
    return isBlock
      ? [`${textOf(key)}:`, ...lines.map((line) => `  ${line}`)]
      : [`${textOf(key)}: ${first}`];
  });
};

/** YAML in block style, without a line end at its end. Absent fields are left out. */
export const yamlOf = (value: YamlValue): string => linesOf(value).join('\n');
