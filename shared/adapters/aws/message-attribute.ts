import { cutBytes } from '#adapters/cut-bytes.ts';

/** Characters that SQS and SNS refuse in attributes (those XML 1.0 cannot hold). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
const refused = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const mostBytes = 1024;

/** A text as an attribute of a message of SQS or SNS: never empty, at most 1 KiB. */
export const messageAttribute = (value: string) => ({
  DataType: 'String',
  StringValue: cutBytes(value.toWellFormed().replace(refused, '\ufffd'), mostBytes) || '-',
});
