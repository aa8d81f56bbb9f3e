import { readFile } from 'node:fs/promises';
import { type AwsSettings, readAwsSettings } from '#config/aws-settings.ts';
import { PortError } from '#ports/port-error.ts';

/** What of any AWS client tells for whom and where it speaks. */
interface CallerOf {
  readonly config: {
    readonly region: () => Promise<string>;
    readonly credentials: () => Promise<unknown>;
  };
}

/**
 * Sees that there is a region and that a profile asked for exists (`invalid` otherwise), and that there are
 * credentials (`unavailable`), before the first call would say so in words that name neither file nor variable.
 */
export const assureCaller = async (
  { config }: CallerOf,
  settings: AwsSettings = readAwsSettings(),
): Promise<void> => {
  for (const { variable, url } of settings.endpoints) {
    if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
      throw new PortError(
        'invalid',
        `${variable} ${shown(url)} is no address: write http(s)://host:port, or unset it`,
      );
    }
  }
  await assureProfile(settings);
  await config.region().catch((cause: unknown) => {
    throw new PortError('invalid', regionFault(cause), { cause });
  });
  await config.credentials().catch((cause: unknown) => {
    throw new PortError('unavailable', credentialsFault(cause, settings.profile), { cause });
  });
};

const shown = (text: string): string => JSON.stringify(text.slice(0, 100));

const saidBy = (cause: unknown): string =>
  cause instanceof Error ? cause.message.replace(/\s+/g, ' ').trim() : '';

/** The SDK takes an unknown profile for one without credentials, and goes on to look elsewhere. */
const assureProfile = async ({ profile, profileFiles }: AwsSettings): Promise<void> => {
  if (profile === undefined || profile === 'default') return;
  const texts = await Promise.all(
    profileFiles.map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  // Sections are `[name]` in one file and `[profile name]` in the other; either is taken, as is any white space.
  const sections = texts.flatMap((text) =>
    [...text.matchAll(/^\s*\[\s*(?:profile\s+)?["']?([^\]"']+?)["']?\s*\]/gm)].map(
      ([, name = '']) => name,
    ),
  );
  if (sections.includes(profile)) return;
  const known = [...new Set(sections)].filter((name) => !/^(sso-session|services)\s/.test(name));
  const remedy =
    known.length === 0
      ? `there is none in ${profileFiles.join(' and ')}`
      : `there are ${known.slice(0, 10).join(', ')}${known.length > 10 ? ', …' : ''}`;
  throw new PortError(
    'invalid',
    `AWS_PROFILE ${shown(profile)} names no profile: ${remedy}; set another, or unset it`,
  );
};

const regionFault = (cause: unknown): string => {
  const [, refused] = /region="(.*)" is not a valid/.exec(saidBy(cause)) ?? [];
  return refused === undefined
    ? 'no AWS region: set AWS_REGION, or region in the profile'
    : `AWS region ${shown(refused)} is none: set AWS_REGION, or region in the profile, to one such as eu-central-1`;
};

const credentialsFault = (cause: unknown, profile: string | undefined): string => {
  // The SDK's own sentence is about its chain of providers; of a broken profile it names the fault.
  const said = saidBy(cause);
  const known = /could not load credentials from any providers/i.test(said) || said === '';
  const why = known ? '' : ` (${said.slice(0, 200)})`;
  return profile === undefined
    ? `no AWS credentials${why}: set AWS_PROFILE, or log in (aws sso login)`
    : `no AWS credentials in the profile ${shown(profile)} (AWS_PROFILE)${why}: log in (aws sso login --profile ${profile}), or set another`;
};
