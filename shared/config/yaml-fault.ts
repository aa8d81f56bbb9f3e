/** What the YAML parser found wrong, in people's words: nesting without end exhausts its stack. */
export const yamlFault = (error: unknown): string => {
  const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return said.includes('call stack') ? 'is nested too deeply' : said;
};
