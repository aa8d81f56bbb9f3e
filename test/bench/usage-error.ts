/** What was given on the command line cannot be used; the message is one line that names the option. */
export class UsageError extends Error {}
