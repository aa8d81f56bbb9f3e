import type { Problem } from '#cluster/problem.ts';
import { yamlFault } from '#config/yaml-fault.ts';
import { firstCharacter, lineOf, textBytes } from './decode-text.ts';
import { parseYaml } from './parse-yaml.ts';
import { itemKind } from './sort-values.ts';
import { eachJsonValue, JsonFault } from './split-json.ts';
import { stripObject } from './strip-object.ts';

export interface ParsedValue {
  readonly value: unknown;
  /** Path inside the file, empty for a whole document. */
  readonly field: string;
  /** Of the typed List that it was an item of. */
  readonly listKind?: string;
}

export interface ParsedFile {
  readonly values: readonly ParsedValue[];
  /** Set where the file is an `outrider.yaml`. */
  readonly configuration?: string;
  readonly problems: readonly Problem[];
}

/** YAML that is not plain takes half a second for each megabyte. */
const largestYaml = 256 * 1024 * 1024;

/** YAML may start with a bracket too (`{a: b}`), but then a person wrote it. */
const largestFlowYaml = 1024 * 1024;

/** A bracket and then what only JSON has: no YAML parser makes more of it. */
const surelyJson = /^\s*[{[]\s*["{[]/;

const failed = (file: string, code: string, message: string): ParsedFile => ({
  values: [],
  problems: [{ file, code, message }],
});

/** Told of the bytes that are done. */
type OnDone = (bytes: number) => void;

/** Lists are handed on by item; what nobody needs is taken out of each before the next is read. */
const parseJson = (bytes: Buffer, onDone: OnDone): readonly ParsedValue[] => {
  const values: ParsedValue[] = [];
  eachJsonValue(bytes, {
    onValue: (value, end) => {
      onDone(end);
      stripObject(value);
      values.push({ value, field: '' });
    },
    onListEnd: (envelope, count) => {
      // A List of nothing says that there is nothing.
      if (count === 0) values.push({ value: envelope, field: '' });
      const kind = itemKind((envelope as { readonly kind?: unknown }).kind);
      const first = values.length - count;
      for (let index = 0; index < count; index += 1) {
        const item = values[first + index];
        values[first + index] = {
          value: item?.value,
          field: `items[${index}]`,
          ...(kind === undefined ? {} : { listKind: kind }),
        };
      }
    },
  });
  return values;
};

/** `clusters:` or `networks:` at the left edge and no `kind:` there (a kubeconfig has one). */
const looksLikeConfiguration = (text: string): boolean =>
  /^(clusters|networks)\s*:/m.test(text) && !/^kind\s*:/m.test(text);

const faultOf = (error: unknown, bytes: Buffer, file: string): ParsedFile => {
  if (error instanceof JsonFault && error.cutOff) {
    const message = `is cut off at byte ${error.offset} in the middle of JSON: none of it is used; record it again`;
    return failed(file, 'truncated', message);
  }
  if (error instanceof JsonFault) {
    const line = lineOf(bytes, error.offset);
    return failed(
      `${file}:${line}`,
      'notJson',
      `${error.message}: none of it is used; record it again`,
    );
  }
  const said = yamlFault(error);
  return failed(file, 'unreadable', `${said}: none of it is used; record it again`);
};

/**
 * Parses one recorded file: JSON, also several documents one after another; YAML only where it does not
 * start like JSON, or is short enough for a person to have written. Never throws: a broken file is one
 * problem and gives no values, since half a list would tell of a cluster that does not exist.
 */
export const parseFile = (raw: Buffer, file: string, onDone: OnDone = () => {}): ParsedFile => {
  const text = textBytes(raw);
  if ('code' in text) return failed(file, text.code, text.message);
  const { bytes } = text;
  const first = firstCharacter(bytes);
  if (first === undefined) return failed(file, 'empty', 'is empty: record it again or remove it');
  const likeJson = first === '{' || first === '[' || first === '"';
  let fault: ParsedFile | undefined;
  if (likeJson) {
    try {
      return { values: parseJson(bytes, onDone), problems: [] };
    } catch (error) {
      fault = faultOf(error, bytes, file);
    }
    const head = bytes.toString('latin1', 0, 1024);
    if (bytes.length > largestFlowYaml || surelyJson.test(head)) return fault;
  }
  if (bytes.length > largestYaml) {
    return failed(file, 'tooLarge', 'is too large for YAML: record it with -o json');
  }
  try {
    const content = bytes.toString('utf8');
    if (!likeJson && looksLikeConfiguration(content)) {
      return { values: [], configuration: content, problems: [] };
    }
    const { values, problems } = parseYaml(content, file, onDone);
    if (fault !== undefined && problems.length > 0) return fault;
    return { values: values.map((value) => ({ value, field: '' })), problems };
  } catch (error) {
    return fault ?? faultOf(error, bytes, file);
  }
};
