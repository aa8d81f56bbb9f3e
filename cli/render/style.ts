import { readTerminalEnvironment } from '#config/terminal.ts';

/** How text may look on one stream. */
export interface Style {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

/** What of a stream decides how it is written to. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const pipeWidth = 80;
const narrowest = 40;

/** Escape codes only on a terminal that wants them; 80 columns through a pipe. */
export const styleOf = (
  stream: OutputStream,
  { noColor }: { readonly noColor: boolean } = readTerminalEnvironment(),
): Style => {
  const coloured = stream.isTTY === true && !noColor;
  const code = (start: number, end: number) => (text: string) =>
    coloured ? `\u001b[${start}m${text}\u001b[${end}m` : text;
  const columns = stream.isTTY === true ? stream.columns || pipeWidth : pipeWidth;
  return {
    width: Math.max(narrowest, columns),
    bold: code(1, 22),
    dim: code(2, 22),
    good: code(32, 39),
    bad: code(31, 39),
  };
};
