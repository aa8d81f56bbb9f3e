/** One JSON line on standard output. */
export function log(
  level: 'info' | 'warn',
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const line = { time: new Date().toISOString(), level, message, ...fields };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
