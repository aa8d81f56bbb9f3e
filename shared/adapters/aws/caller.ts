import { PortError } from '#ports/port-error.ts';

/** What of any AWS client tells for whom and where it speaks. */
interface CallerOf {
  readonly config: {
    readonly region: () => Promise<string>;
    readonly credentials: () => Promise<unknown>;
  };
}

/**
 * Sees that there is a region (`invalid` otherwise) and that there are credentials (`unavailable`), before
 * the first call would say so in words that name neither file nor variable.
 */
export const assureCaller = async ({ config }: CallerOf): Promise<void> => {
  await config.region().catch((cause: unknown) => {
    throw new PortError('invalid', 'no AWS region: set AWS_REGION, or region in the profile', {
      cause,
    });
  });
  await config.credentials().catch((cause: unknown) => {
    // The SDK's own sentence is about its chain of providers; of a broken profile it names the fault.
    const said = cause instanceof Error ? cause.message.replace(/\s+/g, ' ').trim() : '';
    const known = /could not load credentials from any providers/i.test(said) || said === '';
    throw new PortError(
      'unavailable',
      `no AWS credentials${known ? '' : ` (${said.slice(0, 200)})`}: set AWS_PROFILE, or log in (aws sso login)`,
      { cause },
    );
  });
};
