/**
 * Ends a command with lines for people on standard error and an exit code:
 * 1 the answer is no, 2 the input or usage is wrong, 3 the world could not be reached.
 */
export class CommandError extends Error {
  readonly exitCode: 1 | 2 | 3;

  constructor(exitCode: 1 | 2 | 3, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
