/** Something that could not be used, as every reader reports it. */
export interface ShownProblem {
  readonly file?: string;
  readonly field?: string;
  readonly message: string;
}

/** One problem as one line: `file:line: field: what and what to do`. */
export const problemLine = ({ file, field, message }: ShownProblem): string =>
  [file, field, message.replace(/\s*\n\s*/g, ' ')].filter((part) => part !== undefined).join(': ');
