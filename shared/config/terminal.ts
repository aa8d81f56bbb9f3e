/** What the environment says about how to speak on a terminal. */
export interface TerminalEnvironment {
  /** https://no-color.org: set to anything but the empty string. */
  readonly noColor: boolean;
  /** `OUTRIDER_DEBUG`: show the stack of an unexpected error. */
  readonly debug: boolean;
}

/** Reads `NO_COLOR`, `TERM` and `OUTRIDER_DEBUG`. */
export const readTerminalEnvironment = (): TerminalEnvironment => {
  const { NO_COLOR, OUTRIDER_DEBUG, TERM } = process.env;
  return {
    noColor: (NO_COLOR ?? '') !== '' || TERM === 'dumb',
    debug: (OUTRIDER_DEBUG ?? '') !== '',
  };
};
