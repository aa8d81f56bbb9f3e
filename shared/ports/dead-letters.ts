/** Where messages go that nothing can be done with, so that a person sees them. */
export interface DeadLetters {
  record(letter: DeadLetter): Promise<void>;
}

export interface DeadLetter {
  /** The message as it came, byte for byte. */
  readonly body: string;
  readonly code: string;
  /** One line: field and remedy. */
  readonly message: string;
}
