/** Fields of one log line. Values must survive JSON; errors are flattened by `describeError`. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger whose every line carries these fields too. */
  with(fields: LogFields): Logger;
}

/** Where whole lines go; standard output, which Lambda forwards to the log group. */
export type WriteLine = (line: string) => void;

export const standardOutput: WriteLine = (line) => {
  process.stdout.write(`${line}\n`);
};

/**
 * One JSON document per line. Not `console`: Lambda's wraps what it is given once more, and a line with a
 * newline in it would become several log events.
 */
export const createLogger = (
  write: WriteLine = standardOutput,
  carried: LogFields = {},
): Logger => {
  const log = (level: string) => (message: string, fields?: LogFields) =>
    write(JSON.stringify({ level, message, ...carried, ...fields }));
  return {
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    with: (fields) => createLogger(write, { ...carried, ...fields }),
  };
};
