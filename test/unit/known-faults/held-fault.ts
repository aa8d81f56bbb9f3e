/** Which tests hold that Outrider does not share a fault that scalers are known for. */
export interface HeldFault {
  /** The fault's number: `n` of the list. */
  readonly fault: number;
  /** File below `test/`, and the names of tests in it as they are written there. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
  /** What of the right behaviour is not there yet. */
  readonly lacks?: string;
}
