/** What a schema found wrong, of which only place and words are told. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The first issues in one line: `detail.cluster: …`. */
export const issuesText = (issues: readonly SchemaIssue[]): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.map(String).join('.') || 'envelope'}: ${message}`)
    .join('; ');
